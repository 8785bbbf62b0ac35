import { failureReasons, messageStates } from '../../texts/labels.ts';
import { journeyTexts } from '../../texts/test-send.ts';
import { Card, formatClock, formatPhone, Icon, Note } from '../../ui/index.ts';
import { type Journey, STAGES, stagesDone } from './journeys.ts';

/** Messages sent from this page, newest first, with their progress. */
export function JourneyCard({ journeys }: { journeys: readonly Journey[] }) {
  return (
    <Card title={journeyTexts.title}>
      <div class="journeys" role="log" aria-label={journeyTexts.title}>
        {journeys.length === 0 && <p class="quiet">{journeyTexts.nothingYet}</p>}
        {journeys.map((journey) => (
          <OneJourney key={journey.messageId} journey={journey} />
        ))}
      </div>
    </Card>
  );
}

function OneJourney({ journey }: { journey: Journey }) {
  const { messageId, kind, to, reached, reason } = journey;
  const done = stagesDone(journey);
  return (
    <article class="journey">
      <header>
        <strong>{kind}</strong>
        <span class="quiet small">
          {journeyTexts.to} {to === '' ? journeyTexts.everyone : formatPhone(to)}
        </span>
        <a class="small" href={`/portal/messages/${encodeURIComponent(messageId)}`}>
          <code>{messageId}</code>
        </a>
      </header>
      {reached.failed !== undefined && (
        <Note tone="warning" icon="warning">
          {messageStates.failed}. {reason && failureReasons[reason]}
        </Note>
      )}
      <ol class="stages">
        {STAGES.map((stage, place) => {
          const at = reached[stage] ?? (stage === 'read' ? reached.played : undefined);
          const state = place < done ? 'done' : 'open';
          return (
            <li key={stage} class={`stage stage-${state}`}>
              <span class="stage-mark" aria-hidden="true">
                {state === 'done' && <Icon name="check" size={14} />}
              </span>
              <span class="stage-name">{messageStates[stage]}</span>
              <span class="stage-note">
                {at === undefined ? journeyTexts.explained[stage] : formatClock(at)}
              </span>
            </li>
          );
        })}
      </ol>
    </article>
  );
}
