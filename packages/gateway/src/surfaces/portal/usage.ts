import type { DailyUsage, NumberUsageList, UsageFigures } from '@parley/contract';
import { devicesOf } from '#accounts';
import { countReceived } from '#health';
import { apiError, csvOf, DAY_MS, sortBy } from '#kernel';
import { countSent } from '#messages';
import type { Caller } from '#platform/http';
import type { DeviceRow } from '#platform/store';
import type { PortalContext } from './context.ts';

type UsageContext = Pick<PortalContext, 'store' | 'clock'>;
interface Range {
  readonly phone?: string | undefined;
  readonly days: number;
}

/** Messages per day (UTC) of acceptance or arrival, oldest day first, today last. */
export async function dailyUsage(
  context: UsageContext,
  caller: Caller,
  range: Range,
): Promise<DailyUsage['days']> {
  const devices = await chosenDevices(context, caller, range.phone);
  const sums = await sumUp(context, devices, range, ['day']);
  const first = firstDayOf(context, range);
  return Array.from({ length: range.days }, (_, index) => ({
    date: dateOf(first + index),
    ...(sums.get(`${first + index}`)?.figures ?? NOTHING),
  }));
}

export async function numberUsage(
  context: UsageContext,
  caller: Caller,
  range: Range,
): Promise<NumberUsageList['numbers']> {
  const devices = await chosenDevices(context, caller, range.phone);
  const sums = await sumUp(context, devices, range, ['slot_id']);
  return devices
    .map(({ slot_id, phone, nickname }) => ({
      phone,
      nickname,
      ...(sums.get(slot_id)?.figures ?? NOTHING),
    }))
    .sort((one, other) => volumeOf(other) - volumeOf(one));
}

const CSV_COLUMNS = ['date', 'phone', 'accepted', 'sent', 'delivered', 'failed', 'received'];

export async function usageCsv(context: UsageContext, caller: Caller, range: Range): Promise<string> {
  const devices = await chosenDevices(context, caller, range.phone);
  const phones = new Map(devices.map(({ slot_id, phone }) => [slot_id, phone]));
  const sums = await sumUp(context, devices, range, ['day', 'slot_id']);
  const rows = [...sums.values()].map(({ day = 0, slot_id = '', figures }) => ({
    date: dateOf(day),
    phone: phones.get(slot_id),
    ...figures,
  }));
  const inOrder = sortBy(rows, ({ date, phone }) => `${date} ${phone}`);
  return csvOf(CSV_COLUMNS, inOrder);
}

const NOTHING: UsageFigures = { accepted: 0, sent: 0, delivered: 0, failed: 0, received: 0 };

const volumeOf = ({ accepted, received }: UsageFigures): number => accepted + received;
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
const firstDayOf = ({ clock }: UsageContext, { days }: Range): number =>
  Math.floor(clock.now() / DAY_MS) - days + 1;

async function chosenDevices(
  { store }: UsageContext,
  { accountId }: Caller,
  phone: string | undefined,
): Promise<DeviceRow[]> {
  const devices = await devicesOf(store.read, accountId);
  if (phone === undefined) return devices;
  const chosen = devices.filter((device) => device.phone === phone);
  if (chosen.length === 0) throw apiError('device_not_found');
  return chosen;
}

interface Sum {
  readonly day?: number | undefined;
  readonly slot_id?: string | undefined;
  readonly figures: UsageFigures;
}

/** Sums by day, by number, or by both; zeros are omitted. */
async function sumUp(
  context: UsageContext,
  devices: readonly DeviceRow[],
  range: Range,
  by: readonly ('day' | 'slot_id')[],
): Promise<Map<string, Sum>> {
  const slotIds = devices.map(({ slot_id }) => slot_id);
  const wanted = { firstDay: firstDayOf(context, range), by };
  const [sent, received] = await Promise.all([
    countSent(context, slotIds, wanted),
    countReceived(context.store, slotIds, wanted),
  ]);
  const sums = new Map<string, Sum>();
  for (const { day, slot_id, ...counted } of [
    ...sent,
    ...received.map(({ count, ...of }) => ({ ...of, received: count })),
  ]) {
    if (Object.values(counted).every((count) => count === 0)) continue;
    const key = [day, slot_id].filter((each) => each !== undefined).join(' ');
    const figures = { ...NOTHING, ...sums.get(key)?.figures };
    for (const [name, count] of Object.entries(counted)) figures[name as keyof UsageFigures] += count;
    sums.set(key, { day, slot_id, figures });
  }
  return sums;
}
