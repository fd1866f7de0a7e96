/* SPDX-License-Identifier: MIT
 *
 * Two threads compress a block each, of twelve bytes; the stream is whole at the end.
 */
#include <assert.h>
#include <lzma.h>
#include <string.h>
int main(void)
{
	static const uint8_t text[] = "hello, hello";
	static uint8_t out[512];
	lzma_options_lzma lzma = { .dict_size = 4096, .mode = LZMA_MODE_FAST, .nice_len = 4, .mf = LZMA_MF_HC3 };
	lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &lzma }, { LZMA_VLI_UNKNOWN, NULL } };
	lzma_mt how = { .threads = 2, .block_size = 8, .filters = filters, .check = LZMA_CHECK_CRC32 };
	lzma_stream stream = LZMA_STREAM_INIT;
	assert(lzma_stream_encoder_mt(&stream, &how) == LZMA_OK);
	stream.next_in = text;
	stream.avail_in = sizeof text - 1;
	stream.next_out = out;
	stream.avail_out = sizeof out;
	lzma_ret status;
	while ((status = lzma_code(&stream, LZMA_FINISH)) == LZMA_OK) {
	}
	assert(status == LZMA_STREAM_END &&
	       memcmp(out,
		      "\xfd"
		      "7zXZ",
		      6) == 0);
	lzma_end(&stream);
}
