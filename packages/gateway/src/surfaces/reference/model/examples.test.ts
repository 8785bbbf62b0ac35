import {
  compileCheck,
  compileRequest,
  type Operation,
  operations,
  SEND_KINDS,
  successStatuses,
} from '@parley/contract';
import { expect, test } from 'vitest';
import { exampleAnswer, exampleBody, exampleHeaders, exampleParams, exampleQuery } from './examples.ts';

const all = Object.values<Operation>(operations)
  .filter(({ tag }) => tag !== 'Portal')
  .map((operation) => [operation.id, operation] as const);

test.each(all)('the example of %s is a request that the contract accepts', (_, operation) => {
  const result = compileRequest(operation)({
    params: exampleParams(operation),
    query: exampleQuery(operation),
    body: operation === operations.sendMessage ? SEND_KINDS.text.example : exampleBody(operation),
  });
  expect(result).toMatchObject({ ok: true });
});

test.each(all)('the example answer of %s matches its schema', (_, operation) => {
  for (const status of successStatuses(operation)) {
    const schema = operation.answers[status];
    const example = exampleAnswer(operation, status);
    if (schema && operation.answerType === undefined) expect(compileCheck(schema)(example)).toBeNull();
    else expect(example).toBeUndefined();
  }
});

test('required headers have an example, others are left out', () => {
  expect(exampleHeaders(operations.sendMessage)).toEqual({ 'Idempotency-Key': 'order-1042' });
  expect(exampleHeaders(operations.readEvents)).toEqual({});
});
