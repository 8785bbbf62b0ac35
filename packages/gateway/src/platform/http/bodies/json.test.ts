import { type Operation, operations, successStatus, successStatuses } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { allOperations } from '../testing/harness.ts';
import { compileSerializer } from './json.ts';

type Schema = NonNullable<Operation['answers'][number]> & {
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  type?: string;
  pattern?: string;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
};

/** Samples of a schema, together covering every field, every variant and both ends of every choice. */
function samplesOf(schema: Schema): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap(samplesOf);
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return schema.enum;
  if (schema.properties) return samplesOfObject(schema.properties);
  if (schema.items) return [[], samplesOf(schema.items)];
  if (schema.pattern) return schema.examples ?? [];
  const { minimum: least = Number.MIN_SAFE_INTEGER, maximum: most = Number.MAX_SAFE_INTEGER } = schema;
  const byType: Record<string, unknown[]> = {
    string: ['', 'plain', '"quoted" \\ back\nline', 'ünïcödé 👋🏽 \u2028', '\ud83d'],
    boolean: [true, false],
    integer: [0, -1, least, most].filter((value) => value >= least),
    number: [0, -0.5, 51.477928],
    null: [null],
  };
  return byType[schema.type ?? ''] ?? [{ kind: 'message', nested: { list: [1, 'two', null] } }];
}

function samplesOfObject(properties: Record<string, Schema>): object[] {
  const fields = Object.entries(properties).map(([name, schema]) => [name, samplesOf(schema)] as const);
  const most = Math.max(1, ...fields.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[index % values.length]])),
  );
}

function serializerOf(operation: Operation, status = successStatus(operation)) {
  const schema = operation.answers[status];
  return compileSerializer({
    schema,
    method: operation.method,
    url: operation.path,
    httpStatus: '200',
  } as never);
}

describe('an answer on the wire', () => {
  const answers = allOperations
    .filter(({ answerType }) => !answerType)
    .flatMap((operation) =>
      successStatuses(operation).map((status) => [operation.id, status, operation] as const),
    )
    .filter(([, status, operation]) => operation.answers[status]);

  it.each(answers)('of %s, %s, contains exactly what the handler returned', (_id, status, operation) => {
    const write = serializerOf(operation, status);
    const samples = samplesOf(operation.answers[status] as Schema);
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      expect(JSON.parse(write(sample))).toEqual(JSON.parse(JSON.stringify(sample)));
    }
  });

  it('contains no field that the contract does not name', () => {
    const write = serializerOf(operations.getTerms);
    const terms = { current_version: null, accepted_version: null, pending_version: null, url: null };
    expect(JSON.parse(write({ ...terms, password_hash: 'leaked' }))).toEqual(terms);
  });

  it('omits absent optional fields', () => {
    const write = serializerOf(operations.sendMessage);
    expect(write({ status: 'accepted', message_id: undefined })).toBe('{"status":"accepted"}');
  });

  it('is not written at all when a required field is missing', () => {
    const write = serializerOf(operations.createAccount);
    expect(() => write({ name: 'Ada' })).toThrow();
  });
});
