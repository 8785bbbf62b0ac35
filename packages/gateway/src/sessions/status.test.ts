import { describe, expect, it } from 'vitest';
import { isOnline, OFFLINE_AFTER_MS, standingOf } from './status.ts';

const now = 1_800_000_000_000;
/** The machine's clock, from which the gateway's has travelled away. */
const machineNow = now - 86_400_000;
const at = { now, machineNow };
const valid = machineNow + 5_000;

describe('the standing of a session', () => {
  it('is connected as long as its host lives', () => {
    const row = { status: 'connected', since: now - 900_000, lease_expires_at: valid } as const;
    expect(standingOf(row, at)).toEqual({ status: 'connected', since: now - 900_000 });
  });

  it('is reconnecting from the moment its host is known to be dead', () => {
    const row = { status: 'connected', since: now - 900_000, lease_expires_at: machineNow - 2_000 } as const;
    expect(standingOf(row, at)).toEqual({ status: 'reconnecting', since: now - 2_000 });
    const exactly = { ...row, lease_expires_at: machineNow };
    expect(standingOf(exactly, at)).toEqual({ status: 'reconnecting', since: now });
  });

  it('is reconnecting for five minutes, then offline, hosted or not', () => {
    for (const lease_expires_at of [valid, null]) {
      const lost = (since: number) => ({ status: 'reconnecting', since, lease_expires_at }) as const;
      const justBefore = now - OFFLINE_AFTER_MS + 1;
      expect(standingOf(lost(justBefore), at)).toEqual({ status: 'reconnecting', since: justBefore });
      const exactly = now - OFFLINE_AFTER_MS;
      expect(standingOf(lost(exactly), at)).toEqual({ status: 'offline', since: now });
    }
  });

  it('is logged out for ever', () => {
    const row = { status: 'logged_out', since: now - 900_000, lease_expires_at: null } as const;
    expect(standingOf(row, at)).toEqual({ status: 'logged_out', since: now - 900_000 });
  });

  it('is online while it is connected or expected back', () => {
    const online = (['connected', 'reconnecting', 'offline', 'logged_out'] as const).filter((status) =>
      isOnline({ status }),
    );
    expect(online).toEqual(['connected', 'reconnecting']);
  });
});
