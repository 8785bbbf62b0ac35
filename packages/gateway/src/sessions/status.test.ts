import { describe, expect, it } from 'vitest';
import {
  isOnline,
  type LeasedRow,
  type Moment,
  OFFLINE_AFTER_MS,
  observedStatusOf,
  reasonView,
} from './status.ts';

const now = 1_800_000_000_000;
/** The machine's clock, from which the gateway's has travelled away. */
const machineNow = now - 86_400_000;
const at = { now, machineNow };
const valid = machineNow + 5_000;
const NO_REASON = { reason: null, reason_detail: null, reason_until: null } as const;

function standing(row: Pick<LeasedRow, 'status' | 'since' | 'lease_expires_at'>, moment: Moment) {
  return observedStatusOf({ ...NO_REASON, ...row }, moment);
}

describe('the status of a session', () => {
  it('is connected as long as its host lives', () => {
    const row = { status: 'connected', since: now - 900_000, lease_expires_at: valid } as const;
    expect(standing(row, at)).toEqual({ status: 'connected', since: now - 900_000 });
  });

  it('is reconnecting as soon as its host is known to be dead', () => {
    const row = { status: 'connected', since: now - 900_000, lease_expires_at: machineNow - 2_000 } as const;
    expect(standing(row, at)).toEqual({ status: 'reconnecting', since: now - 2_000 });
    const exactly = { ...row, lease_expires_at: machineNow };
    expect(standing(exactly, at)).toEqual({ status: 'reconnecting', since: now });
  });

  it('is reconnecting for five minutes, then offline, hosted or not', () => {
    for (const lease_expires_at of [valid, null]) {
      const lost = (since: number) => ({ status: 'reconnecting', since, lease_expires_at }) as const;
      const justBefore = now - OFFLINE_AFTER_MS + 1;
      expect(standing(lost(justBefore), at)).toEqual({ status: 'reconnecting', since: justBefore });
      const exactly = now - OFFLINE_AFTER_MS;
      expect(standing(lost(exactly), at)).toEqual({ status: 'offline', since: now });
    }
  });

  it('is logged out for ever', () => {
    const row = { status: 'logged_out', since: now - 900_000, lease_expires_at: null } as const;
    expect(standing(row, at)).toEqual({ status: 'logged_out', since: now - 900_000 });
  });

  it('is offline at once, hosted or not, while the network does not let the number in', () => {
    const banned = {
      status: 'reconnecting',
      since: now - 1_000,
      reason: 'temporarily_banned',
      reason_detail: 'Banned for a time.',
      reason_until: now + 3_600_500,
    } as const;
    for (const lease_expires_at of [valid, null]) {
      const seen = observedStatusOf({ ...banned, lease_expires_at }, at);
      expect(seen).toMatchObject({ status: 'offline', since: now - 1_000 });
      expect(reasonView(seen.why)).toEqual({
        reason: 'temporarily_banned',
        detail: 'Banned for a time.',
        until_unix: now / 1_000 + 3_601,
      });
    }
  });

  it('has a reason while it is away, and none while it is connected', () => {
    const lost = { reason: 'proxy_failed', reason_detail: 'No way.', reason_until: null } as const;
    const row = { ...lost, status: 'reconnecting', since: now - 1_000, lease_expires_at: valid } as const;
    expect(reasonView(observedStatusOf(row, at).why)).toEqual({ reason: 'proxy_failed', detail: 'No way.' });
    expect(observedStatusOf({ ...row, since: now - OFFLINE_AFTER_MS }, at)).toMatchObject({
      status: 'offline',
      why: { reason: 'proxy_failed' },
    });
    expect(reasonView(observedStatusOf({ ...row, status: 'connected' }, at).why)).toEqual({});
  });

  it('is online while it is connected or expected back', () => {
    const online = (['connected', 'reconnecting', 'offline', 'logged_out'] as const).filter((status) =>
      isOnline({ status }),
    );
    expect(online).toEqual(['connected', 'reconnecting']);
  });
});
