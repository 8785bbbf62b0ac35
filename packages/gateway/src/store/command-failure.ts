import { StoreError } from './errors.ts';

/**
 * A command's code threw. The error says what and where but drops the thrown text: that may quote what was being stored.
 */
export function commandFailure(command: string, thrown: unknown): StoreError {
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  const place =
    thrown instanceof Error
      ? thrown.stack?.split('\n').find((line) => line.startsWith('    at '))
      : undefined;
  return new StoreError(
    'command_failed',
    `The command ${command} failed: ${name} ${place?.trim() ?? ''}`.trimEnd(),
  );
}

export function assertOneOutputPerItem(
  command: string,
  items: readonly unknown[],
  outputs: readonly unknown[],
): void {
  if (outputs.length === items.length) return;
  throw new StoreError(
    'command_failed',
    `The command ${command} gave ${outputs.length} results for ${items.length} items.`,
  );
}
