import { sendKinds } from 'virtual:send-kinds';
import { PORTAL_TEST_SEND_INTERVAL_SECONDS, type PortalNumber, type Session } from '@parley/contract';
import { useSignal } from '@preact/signals';
import {
  call,
  type InputOf,
  unlessProblem,
  useAction,
  useLive,
  useResource,
  wholeList,
} from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { nowUnix } from '../../kernel/clock.ts';
import { nav, words } from '../../texts/common.ts';
import { planNames, sessionStates } from '../../texts/labels.ts';
import { testSendTexts } from '../../texts/test-send.ts';
import {
  Empty,
  formatPhone,
  LinkButton,
  Loaded,
  PageHead,
  SelectField,
  Skeleton,
  toast,
} from '../../ui/index.ts';
import { useCountdown } from './countdown.ts';
import { blankOf, isValues, jsonOf, type Values } from './form.ts';
import { JourneyCard } from './journey-card.tsx';
import { catchUp, follow, type Journey } from './journeys.ts';
import { RequestPanel } from './request-panel.tsx';
import { type Kind, SendForm } from './send-form.tsx';
import './test-send.css';

const JOURNEYS_MAX = 5;
type LinkedNumber = PortalNumber & { session: Session };

export default function TestSendPage() {
  const numbers = useResource(() => wholeList((page) => call('listNumbers', { query: page })), []);
  return (
    <>
      <PageHead title={nav.testSend} lead={testSendTexts.lead} />
      <Loaded resource={numbers} skeleton={<Skeleton tall lines={2} />}>
        {(data) => <Desk numbers={data.numbers.filter(isLinked)} />}
      </Loaded>
    </>
  );
}

function isLinked(number: PortalNumber): number is LinkedNumber {
  return number.session !== null && number.session.status !== 'logged_out';
}

function Desk({ numbers }: { numbers: readonly LinkedNumber[] }) {
  const chosen = useSignal(numbers[0]?.phone ?? '');
  const number = numbers.find(({ phone }) => phone === chosen.value) ?? numbers[0];
  if (!number) {
    return (
      <Empty
        icon="phone"
        title={testSendTexts.noNumberTitle}
        action={
          <LinkButton look="primary" href="/portal/numbers">
            {words.toStart}
          </LinkButton>
        }
      >
        {testSendTexts.noNumberText}
      </Empty>
    );
  }
  return (
    <div class="stack stack-loose">
      <div class="from-choice">
        <SelectField
          label={testSendTexts.from}
          value={number.phone}
          choices={numbers.map(({ phone, plan, session }) => ({
            value: phone,
            label: `${formatPhone(phone)} · ${planNames[plan]} · ${sessionStates[session.status]}`,
          }))}
          onChange={(phone) => (chosen.value = phone)}
        />
      </div>
      <Sending key={number.phone} number={number} />
    </div>
  );
}

const [FIRST] = sendKinds;

function Sending({ number: { phone, session, plan } }: { number: LinkedNumber }) {
  const kind = useSignal<Kind | undefined>(FIRST);
  const values = useSignal<Values>(FIRST ? emptyForm(FIRST, {}) : {});
  const journeys = useSignal<readonly Journey[]>([]);
  const { secondsLeft, start } = useCountdown();
  async function lookUp(): Promise<void> {
    if (journeys.value.length === 0) return;
    // Without an answer the stream still reports the state.
    const answer = await call('listMessages', { params: { phone } }).catch(unlessProblem);
    if (answer) journeys.value = catchUp(journeys.value, answer.messages);
  }
  useLive(
    (event) => {
      journeys.value = follow(journeys.value, event);
    },
    () => inBackground(lookUp()),
  );
  const body = bodyOf(kind.value, values.value, session.session_id);
  const { run, busy, problem } = useAction(async () => {
    const { message_id } = await call('testSend', { body });
    start(PORTAL_TEST_SEND_INTERVAL_SECONDS);
    if (message_id === undefined) return toast(testSendTexts.settingDone);
    const journey: Journey = {
      messageId: message_id,
      kind: kind.value?.summary ?? '',
      to: typeof values.value.to === 'string' ? values.value.to : '',
      reached: { accepted: nowUnix() },
    };
    journeys.value = [journey, ...journeys.value].slice(0, JOURNEYS_MAX);
    // The message may be sent before this page knows its id.
    inBackground(lookUp());
  });
  if (!kind.value) return null;
  return (
    <div class="test-send">
      <SendForm
        kind={kind.value}
        values={values.value}
        plan={plan}
        busy={busy.value}
        problem={problem.value}
        secondsLeft={secondsLeft}
        onKind={(next) => {
          kind.value = next;
          values.value = emptyForm(next, values.value);
          problem.value = undefined;
        }}
        onValues={(next) => (values.value = next)}
        onSend={async () => {
          await run();
          const wait = problem.value?.retryAfterSeconds;
          if (wait !== undefined) start(wait);
        }}
      />
      <div class="stack stack-loose">
        <JourneyCard journeys={journeys.value} />
        <RequestPanel body={body} />
      </div>
    </div>
  );
}

/** Empty form that keeps the values of fields with the same name. */
function emptyForm({ schema }: Kind, before: Values): Values {
  const blank = blankOf(schema);
  if (!isValues(blank)) return {};
  return Object.fromEntries(Object.entries(blank).map(([name, value]) => [name, before[name] ?? value]));
}

type SendBody = InputOf<'testSend'>['body'];

/** Body of the request, unvalidated; the gateway validates it. */
function bodyOf(kind: Kind | undefined, values: Values, sessionId: string): SendBody {
  return jsonOf(kind?.schema ?? {}, { ...values, session_id: sessionId }) as SendBody;
}
