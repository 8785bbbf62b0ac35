import { sendKinds } from 'virtual:send-kinds';
import { type Plan, planIncludes } from '@parley/contract';
import type { Problem } from '../../api/index.ts';
import { planNames } from '../../texts/labels.ts';
import { testSendTexts } from '../../texts/test-send.ts';
import { Button, Card, complaintAbout, ErrorNote, Note, SelectField } from '../../ui/index.ts';
import { type FormField, fieldsOf, filledWith, isValues, type Values } from './form.ts';
import { proseOf } from './leaf-field.tsx';
import { SchemaField } from './schema-field.tsx';

export type Kind = (typeof sendKinds)[number];
/** Chosen above the form. */
const GIVEN = ['session_id'];

export interface SendFormProps {
  kind: Kind;
  values: Values;
  plan: Plan;
  busy: boolean;
  problem: Problem | undefined;
  secondsLeft: number;
  onKind: (kind: Kind) => void;
  onValues: (values: Values) => void;
  onSend: () => void;
}

/** Form for any message kind, generated from its schema. */
export function SendForm(props: SendFormProps) {
  const { kind, values, plan, busy, problem, secondsLeft, onValues, onSend } = props;
  const [needed, others] = splitBy(fieldsOf(kind.schema, GIVEN), ({ isRequired }) => isRequired);
  const isIncluded = planIncludes(plan, kind.kind);
  const field = (each: FormField) => (
    <SchemaField
      key={each.name}
      {...each}
      value={values[each.name]}
      error={complaintAbout(each.name, problem)}
      onChange={(value) => onValues({ ...values, [each.name]: value })}
    />
  );
  return (
    <Card
      title={testSendTexts.compose}
      actions={
        <Button small look="quiet" onClick={() => onValues(exampleOf(kind, values))}>
          {testSendTexts.fillExample}
        </Button>
      }
    >
      <form
        class="stack"
        // The gateway validates; the browser's messages would differ from its own.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSend();
        }}
      >
        <KindChoice {...props} />
        {kind.description && <p class="quiet small">{proseOf(kind.description)}</p>}
        {!isIncluded && <Note tone="warning">{testSendTexts.notInPlanText(planNames[plan])}</Note>}
        {needed.map(field)}
        {others.length > 0 && (
          <details class="more-fields">
            <summary>{testSendTexts.moreFields(others.length)}</summary>
            <div class="stack">{others.map(field)}</div>
          </details>
        )}
        {problem && <ErrorNote problem={problem} />}
        <div class="send-line">
          <Button
            type="submit"
            look="primary"
            icon="send"
            busy={busy}
            disabled={secondsLeft > 0 || !isIncluded}
          >
            {secondsLeft > 0 ? testSendTexts.wait(secondsLeft) : testSendTexts.send}
          </Button>
          <p class="quiet small">{testSendTexts.limit}</p>
        </div>
      </form>
    </Card>
  );
}

function KindChoice({ kind, plan, onKind }: SendFormProps) {
  return (
    <SelectField
      label={testSendTexts.kind}
      value={kind.kind}
      choices={sendKinds.map(({ kind: value, summary }) => ({
        value,
        label: planIncludes(plan, value) ? summary : testSendTexts.notInPlan(summary, planNames[plan]),
      }))}
      onChange={(chosen) => {
        const found = sendKinds.find((each) => each.kind === chosen);
        if (found) onKind(found);
      }}
    />
  );
}

/** Example values with the current recipient; the example's does not exist. */
function exampleOf({ schema, example }: Kind, { to }: Values): Values {
  const filled = filledWith(schema, example);
  if (!isValues(filled)) return {};
  return to ? { ...filled, to } : filled;
}

function splitBy<T>(items: readonly T[], test: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
