#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Checks of what bitspin writes for programs:
#
#     check.py json FILE...       by man/bitspin.schema.json, in which all members must be; and that places and numbers fit together
#     check.py sarif FILE...      by sarif.schema.json, the part of SARIF 2.1.0 that we write, and the rules that no schema can say;
#                                 by the public schema too, if BITSPIN_SARIF_SCHEMA names that file
#     check.py witness FILE...    by witness.schema.json, format 2.0 of SV-COMP, and that the segments are in their order
#     check.py junit JSON FILE    that the tests are those of the report in JSON (junit.xsd has the form)
#     check.py all DIRECTORY      N.json, N.sarif and N.xml in it: json, sarif and junit of each
#     check.py same FILE...       all these files of SARIF have the same fingerprints; differ: no two have one in common
#
# Prints what is wrong, and fails.
import functools
import json
import os
import re
import sys
import hashlib
import xml.etree.ElementTree as xml

import jsonschema
import yaml

here = os.path.dirname(os.path.abspath(__file__))


def load(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def closed(schema):
    """The schema with no other members allowed, but where it says which."""
    if isinstance(schema, dict):
        schema = {key: closed(value) for key, value in schema.items()}
        if 'properties' in schema and 'additionalProperties' not in schema and isinstance(schema['properties'], dict):
            schema['additionalProperties'] = False
    elif isinstance(schema, list):
        schema = [closed(value) for value in schema]
    return schema


def deepest(error):
    """The error that says most, of a schema with alternatives."""
    while error.context:
        error = max(error.context, key=lambda other: len(other.absolute_path))
    return error


@functools.lru_cache(None)
def validator_of(path, strict):
    schema = load(path)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema) if strict else schema)


def check_schema(document, path, strict=False):
    validator = validator_of(path, strict)
    for error in validator.iter_errors(document):
        error = deepest(error)
        yield '%s: %s' % ('/'.join(str(part) for part in error.absolute_path), error.message[:200])


# ---- JSON ------------------------------------------------------------------------------------------------------------

def check_json(path):
    report = load(path)
    yield from check_schema(report, os.path.join(here, '../../man/bitspin.schema.json'), strict=True)
    statuses = {'verified': 0, 'violated': 1, 'error': 2, 'inconclusive': 3}
    if 'status' in report and report['status'] != statuses[report['verdict']]:
        yield 'the status is not that of the verdict'
    if 'searches' not in report and (report.get('verdict') == 'violated') != bool(report.get('violations')) and 'uses' not in report:
        yield 'the verdict is not that of the violations'
    for violation in report.get('violations', []):
        if not violation.get('trace'):
            yield 'a violation has no story'
        if violation['kind'] != 'ltl' and violation['thread'] not in [t['thread'] for t in violation['threads']] \
                and violation['kind'] not in ('memory-leak',):
            yield 'the thread of a violation is not among the threads'
    for fault in report.get('suppressed', []):
        if fault['suppression'] >= len(report['suppressions']):
            yield 'a fault has no suppression'


# ---- SARIF -----------------------------------------------------------------------------------------------------------

def locations_of(result):
    yield from result['locations']
    yield from result.get('relatedLocations', [])
    for stack in result.get('stacks', []):
        for frame in stack['frames']:
            yield frame['location']
    for flow in result.get('codeFlows', []):
        for thread in flow['threadFlows']:
            for step in thread['locations']:
                yield step['location']


def check_result(run, result):
    rules = run['tool']['driver']['rules']
    if rules[result['ruleIndex']]['id'] != result['ruleId']:
        yield 'the index of a rule is not that of its name'
    for location in locations_of(result):
        place = location.get('physicalLocation')
        if place and place['artifactLocation'].get('uriBaseId', 'SRCROOT') not in run['originalUriBaseIds']:
            yield 'a base of names is not known'
        if place and bool(re.match('[a-z]+:', place['artifactLocation']['uri'])) == ('uriBaseId' in place['artifactLocation']):
            yield 'a name is relative to nothing, or absolute and relative'
    for flow in result.get('codeFlows', []):
        orders = [[step['executionOrder'] for step in thread['locations']] for thread in flow['threadFlows']]
        if any(order != sorted(order) for order in orders) or sorted(sum(orders, [])) != list(range(1, len(sum(orders, [])) + 1)):
            yield 'steps are in no order'
        if len(set(thread['id'] for thread in flow['threadFlows'])) != len(orders):
            yield 'two flows are of one thread'
    ids = [location['id'] for location in result.get('relatedLocations', [])]
    if len(set(ids)) != len(ids):
        yield 'two places have one number'


def check_sarif(path):
    log = load(path)
    yield from check_schema(log, os.path.join(here, 'sarif.schema.json'))
    if os.environ.get('BITSPIN_SARIF_SCHEMA'):
        yield from check_schema(log, os.environ['BITSPIN_SARIF_SCHEMA'])
    for run in log['runs']:
        for result in run['results']:
            yield from check_result(run, result)


def fingerprints(path):
    return sorted(set(result['partialFingerprints']['bitspin/v1'] for run in load(path)['runs'] for result in run['results']))


# ---- witnesses -------------------------------------------------------------------------------------------------------

def check_witness(path):
    with open(path, encoding='utf-8') as file:
        # dates stay text
        witness = yaml.load(file, Loader=yaml.BaseLoader)
    with open(path, encoding='utf-8') as file:
        typed = yaml.safe_load(file)
    yield from check_schema(typed, os.path.join(here, 'witness.schema.json'))
    for entry in witness:
        task = entry['metadata']['task']
        if task['input_files'] != list(task['input_file_hashes']):
            yield 'the hashes are not those of the files'
        for name, digest in task['input_file_hashes'].items():
            with open(name, 'rb') as file:
                if hashlib.sha256(file.read()).hexdigest() != digest:
                    yield 'the hash of %s is wrong' % name
        types = [segment['segment'][-1]['waypoint']['type'] for segment in entry['content']] if entry['content'] else []
        if entry['entry_type'] == 'violation_sequence' and (types[-1] != 'target' or 'target' in types[:-1]):
            yield 'the target is not the end'
        for segment in entry['content'] if types else []:
            location = segment['segment'][-1]['waypoint']['location']
            with open(location['file_name'], 'rb') as file:
                line = file.read().decode('utf-8', 'replace').split('\n')[int(location['line']) - 1]
            if segment['segment'][-1]['waypoint']['type'] == 'function_return' and line[int(location['column']) - 1] != ')':
                yield 'a call does not end in column %s of %r' % (location['column'], line)


# ---- JUnit -----------------------------------------------------------------------------------------------------------

def check_junit(report_path, path):
    report = load(report_path)
    suite = xml.parse(path).getroot().find('testsuite')
    tests = suite.findall('testcase')
    if len(tests) != 1 + len(report.get('formulas', [])):
        yield 'there are %d tests' % len(tests)
    for element, attribute in ('failure', 'failures'), ('error', 'errors'), ('skipped', 'skipped'):
        if int(suite.get(attribute)) != len(suite.findall('testcase/' + element)):
            yield 'the number of %s is wrong' % attribute
    expected = {'verified': None, 'violated': 'failure', 'inconclusive': 'error', 'error': 'error', 'not checked': 'skipped'}
    verdicts = [report.get('safety', report['verdict'])] + [formula['verdict'] for formula in report.get('formulas', [])]
    for test, verdict in zip(tests, verdicts):
        found = [child.tag for child in test if child.tag != 'system-out']
        if found != ([expected[verdict]] if expected[verdict] else []):
            yield 'the test %s is %s, but its verdict %s' % (test.get('name'), found, verdict)
    names = [test.get('name') for test in tests[1:]]
    if names != [formula['formula'] for formula in report.get('formulas', [])]:
        yield 'the tests are not named after the formulas'


def main():
    what, paths = sys.argv[1], sys.argv[2:]
    problems = []
    if what in ('same', 'differ'):
        each = [fingerprints(path) for path in paths]
        if what == 'same' and (not each[0] or any(other != each[0] for other in each)):
            problems = ['fingerprints differ: %s' % each]
        if what == 'differ' and len(set(sum(each, []))) != len(sum(each, [])):
            problems = ['fingerprints are the same: %s' % each]
    elif what == 'all':
        for number in range(1, len(os.listdir(paths[0])) // 3 + 1):
            base = os.path.join(paths[0], str(number))
            found = list(check_json(base + '.json')) + list(check_sarif(base + '.sarif')) + list(check_junit(base + '.json', base + '.xml'))
            problems += ['%s: %s' % (number, problem) for problem in found]
    elif what == 'junit':
        problems = list(check_junit(*paths))
    else:
        for path in paths:
            problems += ['%s: %s' % (path, problem) for problem in globals()['check_' + what](path)]
    for problem in problems[:10]:
        print(problem)
    return 1 if problems else 0


sys.exit(main())
