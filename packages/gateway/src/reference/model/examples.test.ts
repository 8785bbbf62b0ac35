import {
  compileCheck,
  compileRequest,
  type Operation,
  operations,
  SEND_KINDS,
  successStatus,
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

test.each(all)('the answer of %s is told as it would come', (_, operation) => {
  const schema = operation.answers[successStatus(operation)];
  const example = exampleAnswer(operation);
  if (schema && operation.answerType === undefined) expect(compileCheck(schema)(example)).toBeNull();
  else expect(example).toBeUndefined();
});

test('required headers have an example, others are left out', () => {
  expect(exampleHeaders(operations.sendMessage)).toEqual({ 'Idempotency-Key': 'order-1042' });
  expect(exampleHeaders(operations.readEvents)).toEqual({});
});
