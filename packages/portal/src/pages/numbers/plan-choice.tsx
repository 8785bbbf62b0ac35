import { PLAN_LIMITS, type Plan, type SELF_SERVICE_PLANS } from '@parley/contract';
import { useId } from 'preact/hooks';
import { planTexts } from '../../texts/billing.ts';
import { planNames } from '../../texts/labels.ts';
import { numbersTexts, registerTexts } from '../../texts/numbers.ts';
import { Badge } from '../../ui/index.ts';

export type SelfServicePlan = (typeof SELF_SERVICE_PLANS)[number];

/** Plans side by side with their features. */
export function PlanChoice({
  plans,
  value,
  current,
  onChange,
}: {
  plans: readonly SelfServicePlan[];
  value: SelfServicePlan;
  /** Current plan of the number. */
  current?: Plan;
  onChange: (plan: SelfServicePlan) => void;
}) {
  const name = useId();
  return (
    <fieldset class="plans">
      <legend class="field-label">{registerTexts.plan}</legend>
      {plans.map((plan) => (
        <div class="plan" key={plan}>
          <input
            type="radio"
            id={`${name}-${plan}`}
            name={name}
            checked={plan === value}
            onChange={() => onChange(plan)}
          />
          <label for={`${name}-${plan}`}>
            <strong>
              {planNames[plan]} {plan === current && <Badge>{planTexts.current}</Badge>}
            </strong>
            <span>{registerTexts.includes[plan]}</span>
            <span>{registerTexts.monthly(PLAN_LIMITS[plan].sendsPerPeriod ?? 0)}</span>
            <span>{numbersTexts.perMinute(PLAN_LIMITS[plan].sendsPerMinute ?? 0)}</span>
          </label>
        </div>
      ))}
    </fieldset>
  );
}
