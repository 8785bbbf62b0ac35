import type { Onboarding } from '@parley/sdk';
import { renderUnicodeCompact } from 'uqr';
import { CommandError, type Run } from '../command.ts';
import type { PAIR } from '../specs.ts';
import type { Terminal } from '../terminal.ts';
import { account, operatorIfAny } from './connect.ts';
import { slotOf } from './device.ts';

export const pair: Run<typeof PAIR> = async ({ args, options, connection, terminal }) => {
  const { pairing } = account(connection);
  const slot_id = await deviceOf(args.device, operatorIfAny(connection));
  const { onboard_id } = options.code
    ? await pairing.startCode({ slot_id })
    : await pairing.startQr({ slot_id });
  terminal.note('Asking the network …');
  const { signal } = terminal;
  try {
    for await (const state of pairing.follow(onboard_id, { signal })) tell(state, terminal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandError('stopped before the number was linked');
  }
};

async function deviceOf(device: string, operator: ReturnType<typeof operatorIfAny>): Promise<string> {
  if (operator) return slotOf(device, operator);
  if (!/^\+?\d+$/.test(device)) return device;
  throw new CommandError(
    'a device is found by its number only with the operator token; pass its id (slot_…) instead',
  );
}

/** Machines get each state as it comes; people a picture of it. */
function tell(state: Onboarding, terminal: Terminal): void {
  const { status, qr, code, session_id, error } = state;
  if (status === 'error') throw new CommandError(`the number was not linked: ${error ?? 'no reason given'}`);
  if (terminal.json || status === 'paired') {
    terminal.show(state, () => `Linked: ${session_id}`);
  } else if (qr !== undefined) {
    terminal.picture(
      `${renderUnicodeCompact(qr, { border: 2 })}\nOn the phone: Linked devices, Link a device, and scan this.`,
    );
  } else if (code !== undefined) {
    terminal.picture(
      `${code}\nOn the phone: Linked devices, Link a device, Link with phone number instead, and type this.`,
    );
  }
}
