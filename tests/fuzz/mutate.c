/* SPDX-License-Identifier: MIT
 *
 * Mutations of bitcode that know what it is: libFuzzer's custom mutator.  Bytes changed at random would be about LLVM's reader
 * only; here the program is read, some of its instructions, operands, types, globals or calls are changed, and the result counts
 * if LLVM's verifier takes it.  All choices follow from the seed that libFuzzer gives.
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_VALUES = 1 << 16, ATTEMPTS = 20, MOST_CHANGES = 4, SECONDS = 2 };

static LLVMModuleRef module;
static LLVMContextRef context;
static LLVMBuilderRef builder;
static LLVMValueRef values[MOST_VALUES]; /* instructions, parameters, functions and globals of the module */
static unsigned nvalues, ninstructions;  /* instructions come first */
static uint64_t state;

static unsigned pick(unsigned below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return below ? (unsigned)((state >> 33) % below) : 0;
}

static void add(LLVMValueRef value)
{
	if (nvalues < MOST_VALUES)
		values[nvalues++] = value;
}

static void collect(void)
{
	nvalues = 0;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
				add(i);
	ninstructions = nvalues;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		add(f);
		for (unsigned i = 0; i < LLVMCountParams(f); i++)
			add(LLVMGetParam(f, i));
	}
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		add(g);
}

static LLVMTypeRef integer_type(void)
{
	static const unsigned widths[] = { 1, 3, 8, 16, 17, 24, 32, 33, 48, 63, 64, 65, 80, 96, 127, 128, 129, 256, 1000 };
	return LLVMIntTypeInContext(context, widths[pick(sizeof widths / sizeof *widths)]);
}

static LLVMTypeRef any_type(unsigned depth)
{
	LLVMTypeRef parts[3];
	switch (pick(depth ? 12 : 8)) {
	case 0: return LLVMFloatTypeInContext(context);
	case 1: return LLVMDoubleTypeInContext(context);
	case 2: return LLVMX86FP80TypeInContext(context);
	case 3: return LLVMPointerType(LLVMInt8TypeInContext(context), pick(8) ? 0 : 1);
	case 4: return pick(2) ? LLVMHalfTypeInContext(context) : LLVMFP128TypeInContext(context);
	case 8: return LLVMVectorType(pick(2) ? integer_type() : LLVMFloatTypeInContext(context), 1 + pick(9));
	case 9: return LLVMArrayType(any_type(depth - 1), pick(5));
	case 10: case 11:
		for (unsigned i = 0; i < 3; i++)
			parts[i] = any_type(depth - 1);
		return LLVMStructTypeInContext(context, parts, pick(4), (LLVMBool)pick(2));
	default: return integer_type();
	}
}

static LLVMValueRef constant_of(LLVMTypeRef type)
{
	static const uint64_t interesting[] = {
		0, 1, 2, 7, 8, 31, 32, 63, 64, 65, 127, 128, 255, 4096, INT32_MAX, UINT32_MAX, INT64_MAX,
		UINT64_C(1) << 63, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 47,
	};
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && pick(4))
		return LLVMConstInt(type, interesting[pick(sizeof interesting / sizeof *interesting)], (LLVMBool)pick(2));
	switch (pick(4)) {
	case 0: return LLVMGetUndef(type);
	case 1: return LLVMGetPoison(type);
	default: return LLVMConstNull(type);
	}
}

static bool is_sized(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind != LLVMVoidTypeKind && kind != LLVMLabelTypeKind && kind != LLVMMetadataTypeKind && kind != LLVMTokenTypeKind &&
	       kind != LLVMFunctionTypeKind;
}

/* Something of the type: any value of the module, which may not dominate its use (then the verifier says no), or a constant. */
static LLVMValueRef value_of(LLVMTypeRef type)
{
	for (unsigned i = 0; nvalues && pick(4) && i < 60; i++) {
		LLVMValueRef value = values[pick(nvalues)];
		if (LLVMTypeOf(value) == type)
			return value;
	}
	return constant_of(type);
}

static void change_operand(LLVMValueRef insn)
{
	int count = LLVMGetNumOperands(insn);
	if (count <= 0)
		return;
	unsigned at = pick((unsigned)count);
	LLVMValueRef old = LLVMGetOperand(insn, at);
	if (!old || !is_sized(LLVMTypeOf(old)) || (LLVMIsASwitchInst(insn) && at))
		return;
	LLVMSetOperand(insn, at, pick(3) ? value_of(LLVMTypeOf(old)) : constant_of(LLVMTypeOf(old)));
}

static void delete(LLVMValueRef insn)
{
	if (LLVMIsATerminatorInst(insn) || !is_sized(LLVMTypeOf(insn))) {
		if (LLVMIsAStoreInst(insn) || LLVMIsACallInst(insn))
			LLVMInstructionEraseFromParent(insn);
		return;
	}
	LLVMReplaceAllUsesWith(insn, value_of(LLVMTypeOf(insn)));
	LLVMInstructionEraseFromParent(insn);
}

static void change_detail(LLVMValueRef insn)
{
	static const unsigned alignments[] = { 1, 2, 4, 8, 16, 4096, 1u << 20, 1u << 29 };
	if (LLVMIsALoadInst(insn) || LLVMIsAStoreInst(insn)) {
		LLVMSetVolatile(insn, (LLVMBool)pick(2));
		if (pick(2))
			LLVMSetOrdering(insn, (LLVMAtomicOrdering)pick(8));
		LLVMSetAlignment(insn, alignments[pick(8)]);
	} else if (LLVMIsAAllocaInst(insn)) {
		LLVMSetAlignment(insn, alignments[pick(8)]);
	} else if (LLVMIsATerminatorInst(insn) && LLVMGetNumSuccessors(insn)) {
		LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(insn));
		LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
		for (unsigned i = pick(LLVMCountBasicBlocks(function)); i && LLVMGetNextBasicBlock(block); i--)
			block = LLVMGetNextBasicBlock(block);
		LLVMSetSuccessor(insn, pick(LLVMGetNumSuccessors(insn)), block);
	}
}

/* ---- new instructions ----------------------------------------------------------------------------------------------- */

static LLVMValueRef new_intrinsic(LLVMTypeRef type)
{
	static const char *const names[] = {
		"abs", "smax", "umin", "ctlz", "cttz", "ctpop", "bswap", "bitreverse", "fshl", "fshr", "sadd.sat", "usub.sat", "sshl.sat",
		"sadd.with.overflow", "umul.with.overflow", "ssub.with.overflow", "smul.fix", "fabs", "sqrt", "floor", "rint", "copysign",
		"fma", "fmuladd", "minnum", "maximum", "pow", "powi", "vector.reduce.add", "vector.reduce.xor", "vector.reduce.smax",
		"vector.reduce.fadd", "expect", "is.constant", "objectsize", "ptrmask", "memcpy", "memmove", "memset", "memcpy.inline",
		"stacksave", "stackrestore", "va_start", "va_copy", "lifetime.start", "assume", "trap", "frameaddress", "returnaddress",
		"fptosi.sat", "fptoui.sat", "lround", "canonicalize", "launder.invariant.group", "thread.pointer", "prefetch",
		"masked.load", "masked.gather", "experimental.vector.reverse", "eh.typeid.for", "sideeffect", "donothing",
	};
	char name[64] = "llvm.";
	strncat(name, names[pick(sizeof names / sizeof *names)], sizeof name - 6);
	unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	if (!id)
		return NULL;
	LLVMTypeRef parameters[8], overloads[] = { type, pick(2) ? type : any_type(1), any_type(0) };
	unsigned noverloads = LLVMIntrinsicIsOverloaded(id) ? 1 + pick(3) : 0;
	LLVMValueRef arguments[8], function = LLVMGetIntrinsicDeclaration(module, id, overloads, noverloads);
	LLVMTypeRef called = LLVMGlobalGetValueType(function);
	unsigned count = LLVMCountParamTypes(called);
	if (count > 8)
		return NULL;
	LLVMGetParamTypes(called, parameters);
	for (unsigned i = 0; i < count; i++)
		if (!is_sized(parameters[i]))
			return NULL;
	for (unsigned i = 0; i < count; i++)
		arguments[i] = value_of(parameters[i]);
	return LLVMBuildCall2(builder, called, function, arguments, count, "");
}

static LLVMValueRef new_assembly(LLVMTypeRef type)
{
	static const char *const texts[] = {
		"lock; xaddl $0, $1", "xchg $0, $1", "lock cmpxchgl $2, $1", "mov $1, $0", "bswap $0", "pause", "mfence", "addl $$1, $0",
		"incl $0", "notl $0; negl $0", "movl 4($1), $0", "leal ($1,$1,4), $0", "btsl $1, $0", "rdtsc", "shll $$33, $0",
		"movb $b1, ${0:b}",
	};
	static const char *const constraints[] = {
		"=r,r", "=r,0", "=r,=*m,0", "=r,=*m,r,0,*m", "=&r,r,~{memory}", "~{memory}", "=a,{dx}", "=r,i", "=q,r,~{cc}",
		"=*m,r", "=A", "r",
	};
	char text[64];
	strcpy(text, texts[pick(sizeof texts / sizeof *texts)]);
	const char *constraint = constraints[pick(sizeof constraints / sizeof *constraints)];
	for (unsigned changes = pick(4); changes; changes--)
		text[pick((unsigned)strlen(text))] = "$0123,();% lbqw{}:x\n"[pick(20)];
	unsigned count = pick(4);
	LLVMTypeRef parameters[3];
	LLVMValueRef arguments[3];
	for (unsigned i = 0; i < count; i++)
		arguments[i] = value_of(parameters[i] = pick(2) ? type : any_type(1));
	LLVMTypeRef result = pick(4) ? type : LLVMVoidTypeInContext(context);
	LLVMTypeRef called = LLVMFunctionType(result, parameters, count, 0);
	LLVMValueRef assembly = LLVMGetInlineAsm(called, text, strlen(text), (char *)constraint, strlen(constraint), 1, 0,
						 LLVMInlineAsmDialectATT, 0);
	return LLVMBuildCall2(builder, called, assembly, arguments, count, "");
}

static LLVMValueRef new_arithmetic(LLVMValueRef value, LLVMTypeRef type)
{
	static const LLVMOpcode casts[] = { LLVMTrunc, LLVMZExt, LLVMSExt, LLVMFPToUI, LLVMFPToSI, LLVMUIToFP, LLVMSIToFP, LLVMFPTrunc,
		LLVMFPExt, LLVMPtrToInt, LLVMIntToPtr, LLVMBitCast };
	LLVMTypeRef bit = LLVMInt1TypeInContext(context);
	switch (pick(8)) {
	case 0: return LLVMBuildCast(builder, casts[pick(12)], value, any_type(1), "");
	case 1: return LLVMBuildICmp(builder, (LLVMIntPredicate)(32 + pick(10)), value, value_of(type), "");
	case 2: return LLVMBuildSelect(builder, value_of(bit), value, value_of(type), "");
	case 3: return LLVMBuildFreeze(builder, value, "");
	case 4: return LLVMBuildFCmp(builder, (LLVMRealPredicate)pick(16), value, value_of(type), "");
	default: return LLVMBuildBinOp(builder, (LLVMOpcode)(LLVMAdd + pick(18)), value, value_of(type), "");
	}
}

static LLVMValueRef new_memory(LLVMTypeRef type)
{
	LLVMValueRef memory = LLVMBuildAlloca(builder, type, "");
	switch (pick(5)) {
	case 0:
		LLVMBuildStore(builder, constant_of(type), memory);
		return LLVMBuildLoad2(builder, type, memory, "");
	case 1:
		return LLVMBuildAtomicRMW(builder, (LLVMAtomicRMWBinOp)pick(13), memory, value_of(type),
					  (LLVMAtomicOrdering)(2 + pick(6)), 0);
	case 2:
		return LLVMBuildExtractValue(builder, LLVMBuildAtomicCmpXchg(builder, memory, value_of(type), value_of(type),
			LLVMAtomicOrderingSequentiallyConsistent, LLVMAtomicOrderingMonotonic, 0), pick(2), "");
	default:
		LLVMBuildStore(builder, value_of(type), memory);
		return memory;
	}
}

/* Operations that LLVM's builder would crash on are left out by type: it checks nothing in a release. */
static LLVMValueRef new_value(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value), other = any_type(2);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	bool scalar = kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
		kind == LLVMX86_FP80TypeKind;
	switch (pick(6)) {
	case 0: return new_intrinsic(pick(3) ? type : other);
	case 1: return new_assembly(pick(3) ? type : other);
	case 2: return new_memory(pick(2) ? type : other);
	case 3: return new_arithmetic(constant_of(other), other);
	default: return scalar || kind == LLVMVectorTypeKind ? new_arithmetic(value, type) : NULL;
	}
}

/* Make an instruction of one that is there; where the type fits, it takes the place of the old value. */
static void insert(LLVMValueRef insn)
{
	LLVMValueRef next = LLVMGetNextInstruction(insn);
	if (!next || LLVMIsAPHINode(next) || !is_sized(LLVMTypeOf(insn)))
		return;
	LLVMPositionBuilderBefore(builder, next);
	LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(next));
	LLVMValueRef made = new_value(insn);
	if (!made || LLVMTypeOf(made) != LLVMTypeOf(insn) || !LLVMIsAInstruction(made) || pick(3) == 0)
		return;
	for (LLVMUseRef use = LLVMGetFirstUse(insn), following; use; use = following) {
		LLVMValueRef user = LLVMGetUser(use);
		following = LLVMGetNextUse(use);
		for (int i = 0; user != made && i < LLVMGetNumOperands(user); i++)
			if (LLVMGetOperand(user, (unsigned)i) == insn && pick(2)) {
				LLVMSetOperand(user, (unsigned)i, made);
				following = NULL;
			}
	}
}

static void change_global(void)
{
	LLVMValueRef global = values[ninstructions + pick(nvalues - ninstructions)];
	if (LLVMIsAArgument(global))
		return;
	if (pick(3) == 0)
		LLVMSetLinkage(global, (LLVMLinkage)pick(17));
	if (!LLVMIsAGlobalVariable(global))
		return;
	switch (pick(5)) {
	case 0: LLVMSetInitializer(global, constant_of(LLVMGlobalGetValueType(global))); break;
	case 1: LLVMSetThreadLocal(global, (LLVMBool)pick(2)); break;
	case 2: LLVMSetGlobalConstant(global, (LLVMBool)pick(2)); break;
	case 3: LLVMSetAlignment(global, 1u << pick(20)); break;
	default: LLVMSetInitializer(global, NULL); break;
	}
}

static void change(void)
{
	if (ninstructions == 0 || pick(16) == 0) {
		if (nvalues > ninstructions)
			change_global();
		return;
	}
	LLVMValueRef insn = values[pick(ninstructions)];
	switch (pick(6)) {
	case 0: delete(insn); break;
	case 1: change_detail(insn); break;
	case 2: case 3: insert(insn); break;
	default: change_operand(insn); break;
	}
}

/* One variant of the program in `memory`; its size, or 0 if it is not valid or too large. */
static size_t variant(LLVMMemoryBufferRef memory, uint8_t *out, size_t most)
{
	size_t size = 0;
	char *error = NULL;
	context = LLVMContextCreate();
	LLVMContextSetDiscardValueNames(context, 0);
	if (!LLVMParseBitcodeInContext2(context, memory, &module)) {
		builder = LLVMCreateBuilderInContext(context);
		for (unsigned changes = 1 + pick(MOST_CHANGES); changes; changes--) {
			collect();
			change();
		}
		if (!LLVMVerifyModule(module, LLVMReturnStatusAction, &error)) {
			LLVMMemoryBufferRef written = LLVMWriteBitcodeToMemoryBuffer(module);
			if (LLVMGetBufferSize(written) <= most)
				memcpy(out, LLVMGetBufferStart(written), size = LLVMGetBufferSize(written));
			LLVMDisposeMemoryBuffer(written);
		}
		LLVMDisposeMessage(error);
		LLVMDisposeBuilder(builder);
		LLVMDisposeModule(module);
	}
	LLVMContextDispose(context);
	return size;
}

/* LLVM's builder checks nothing in a release, and crashes on what cannot be: that is in a process of its own. */
static _Noreturn void mutate(LLVMMemoryBufferRef memory, uint8_t *out, size_t most, size_t *made)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP };
	struct rlimit second = { SECONDS, SECONDS };
	for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_DFL);
	setrlimit(RLIMIT_CPU, &second);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
	if (!freopen("/dev/null", "w", stderr))
		_exit(1);
	for (unsigned i = 0; i < ATTEMPTS && !*made; i++)
		*made = variant(memory, out, most);
	_exit(0);
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed)
{
	size_t room = sizeof(size_t) + most, made = 0;
	size_t *shared = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
	LLVMMemoryBufferRef memory = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)bytes, size, "seed");
	state = seed;
	for (unsigned i = 0; i < ATTEMPTS && !made; i++) {
		pick(2);
		pid_t child = fork();
		if (child == 0)
			mutate(memory, (uint8_t *)(shared + 1), most, shared);
		int status;
		if (child < 0 || waitpid(child, &status, 0) != child)
			abort();
		made = WIFEXITED(status) ? *shared : 0;
	}
	memcpy(bytes, shared + 1, made);
	LLVMDisposeMemoryBuffer(memory);
	munmap(shared, room);
	return made ? made : size;
}
