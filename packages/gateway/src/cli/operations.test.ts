import { type Operation, operations } from '@parley/contract';
import { expect, test } from 'vitest';
import { COMMANDS } from './run.ts';

/** Talks to the sandbox, or calls what an assistant asks for. */
const NO_OPERATION = /^(?:sandbox .*|mcp)$/;

const talking = COMMANDS.map(({ spec }) => spec).filter(({ talksTo }) => talksTo !== undefined);
const calls = Object.values<Operation>(operations).flatMap(({ id, surface, cli = [] }) =>
  cli.map((command) => ({ id, command, credential: surface === 'v1' ? 'account' : surface })),
);

test('is named by the operations that it calls, each command that talks to a gateway', () => {
  const named = talking.map(({ name }) => name).filter((name) => !NO_OPERATION.test(name));
  expect([...new Set(calls.map(({ command }) => command))].toSorted()).toEqual(named.toSorted());
});

test.each(calls)('$command takes the credential of $id', ({ command, credential }) => {
  expect(talking.find(({ name }) => name === command)?.talksTo).toBe(credential);
});
