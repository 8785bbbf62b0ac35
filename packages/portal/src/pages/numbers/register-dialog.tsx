import { phoneDigits, SELF_SERVICE_PLANS } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, Problem, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { words } from '../../texts/common.ts';
import { registerTexts } from '../../texts/numbers.ts';
import { Actions, Button, Dialog, Form, TextField, toast } from '../../ui/index.ts';
import { PlanChoice, type SelfServicePlan } from './plan-choice.tsx';

export function RegisterDialog({ hasNumbers, onClose }: { hasNumbers: boolean; onClose: () => void }) {
  const { route } = useLocation();
  const phone = useSignal('');
  // The free plan is for one number; preselects another plan for further numbers.
  const plan = useSignal<SelfServicePlan>(hasNumbers ? 'pro' : 'free');
  const { run, busy, problem } = useAction(async () => {
    const digits = phoneDigits(phone.value.trim());
    if (digits === null) throw new Problem(400, words.phoneWrong, undefined, 'phone');
    await call('registerNumber', { body: { phone: digits, plan: plan.value } });
    toast(registerTexts.done);
    onClose();
    route(`/portal/numbers/${digits}`);
  });
  return (
    <Dialog title={registerTexts.title} onClose={onClose} wide>
      <Form
        problem={problem.value}
        onSubmit={() => inBackground(run())}
        foot={
          <Actions>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button type="submit" look="primary" busy={busy.value}>
              {registerTexts.title}
            </Button>
          </Actions>
        }
      >
        <TextField
          label={registerTexts.phone}
          hint={registerTexts.phoneHint}
          type="tel"
          name="phone"
          autocomplete="off"
          required
          autofocus
          value={phone.value}
          onInput={(value) => {
            phone.value = value;
          }}
        />
        <PlanChoice
          plans={SELF_SERVICE_PLANS}
          value={plan.value}
          onChange={(chosen) => {
            plan.value = chosen;
          }}
        />
      </Form>
    </Dialog>
  );
}
