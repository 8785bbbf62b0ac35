import type { Plan } from '@parley/contract';

const PLAN_NAMES: Readonly<Record<Plan, string>> = {
  free: 'Free',
  pro: 'Pro',
  max: 'Max',
  partner: 'Partner',
};

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `1 Jul 2026`, in UTC like the periods themselves. */
export function dayOf(at: number | string): string {
  return DAY.format(new Date(at));
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
