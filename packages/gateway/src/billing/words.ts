import type { Plan } from '@parley/contract';

const PLAN_NAMES: Readonly<Record<Plan, string>> = {
  free: 'Free',
  pro: 'Pro',
  max: 'Max',
  partner: 'Partner',
};

/** `1 Jul 2026`, in UTC like the periods themselves. Not by `Intl.DateTimeFormat`: loading its data takes 25 ms of every start. */
export function dayOf(at: number | string): string {
  const [, day, month, year] = new Date(at).toUTCString().split(' ');
  return `${Number(day)} ${month} ${year}`;
}

export function lineOf(
  phone: string,
  period: {
    readonly plan: Plan;
    readonly started_at: number;
    readonly ends_at: number;
    readonly planned_end: number | null;
  },
): string {
  const days = `${dayOf(period.started_at)} – ${dayOf(period.ends_at)}`;
  const cut = period.planned_end !== null && period.planned_end > period.ends_at;
  const share = cut ? ', for the days until the plan changed' : '';
  return `Plan ${PLAN_NAMES[period.plan]} for +${phone}, ${days}${share}`;
}
