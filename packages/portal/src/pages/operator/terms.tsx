import type { Account, TermsVersionList } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { inDays, now } from '../../kernel/clock.ts';
import { nav } from '../../texts/common.ts';
import { termsTexts } from '../../texts/operator.ts';
import {
  Badge,
  Button,
  Card,
  type Column,
  dateOf,
  Empty,
  FormDialog,
  formatDay,
  formatTime,
  Loaded,
  Note,
  PageHead,
  SelectField,
  Table,
  TextField,
  toast,
} from '../../ui/index.ts';
import { useAccounts } from './directory.ts';
import './operator.css';

type Version = TermsVersionList['versions'][number];

export default function TermsPage() {
  const terms = useResource(() => call('listTermsVersions'), []);
  const accounts = useAccounts();
  const publishes = useSignal(false);
  const publish = (
    <Button look="primary" icon="plus" onClick={() => (publishes.value = true)}>
      {termsTexts.publish}
    </Button>
  );
  return (
    <>
      <PageHead title={nav.terms} lead={termsTexts.lead}>
        {terms.data && terms.data.versions.length > 0 && publish}
      </PageHead>
      <Loaded resource={terms}>
        {({ versions }) =>
          versions.length === 0 ? (
            <Empty icon="document" title={termsTexts.emptyTitle} action={publish}>
              {termsTexts.emptyText}
            </Empty>
          ) : (
            <Card flush>
              <Table
                label={nav.terms}
                columns={columnsFor(versions, accounts.data ?? [])}
                rows={versions}
                keyOf={({ version }) => version}
              />
            </Card>
          )
        }
      </Loaded>
      {publishes.value && (
        <PublishDialog
          onPublished={() => inBackground(terms.reload())}
          onClose={() => (publishes.value = false)}
        />
      )}
    </>
  );
}

/** Terms published with immediate effect are in force, even if the clock here lags by a fraction of a second. */
export const isEffective = ({ published_at, effective_at }: Version): boolean =>
  effective_at === published_at || dateOf(effective_at).getTime() <= now();

const columnsFor = (
  versions: readonly Version[],
  accounts: readonly Account[],
): readonly Column<Version>[] => [
  {
    title: termsTexts.version,
    cell: ({ version, url }) => (
      <a href={url} target="_blank" rel="noreferrer">
        {version}
      </a>
    ),
  },
  {
    title: termsTexts.state,
    cell: (each) => {
      if (each === versions.find(isEffective)) return <Badge tone="good">{termsTexts.inForce}</Badge>;
      if (each === versions[0]) return <Badge tone="waiting">{termsTexts.announced}</Badge>;
      return <Badge>{termsTexts.earlier}</Badge>;
    },
  },
  {
    title: termsTexts.accepted,
    cell: ({ version }) => {
      const accepted = accounts.filter(({ tos_accepted_version }) => tos_accepted_version === version);
      return termsTexts.acceptedOf(accepted.length, accounts.length);
    },
    share: 1.5,
    secondary: true,
  },
  {
    title: termsTexts.published,
    cell: ({ published_at }) => <span title={formatTime(published_at)}>{formatDay(published_at)}</span>,
    share: 1.5,
    secondary: true,
  },
  {
    title: termsTexts.effective,
    cell: ({ effective_at }) => <span title={formatTime(effective_at)}>{formatDay(effective_at)}</span>,
    share: 1.5,
    atEnd: true,
  },
];

const EFFECTS = [
  { value: '14', label: termsTexts.effects[14] },
  { value: '30', label: termsTexts.effects[30] },
  { value: '90', label: termsTexts.effects[90] },
  { value: 'now', label: termsTexts.effects.now },
] as const;
type Effect = (typeof EFFECTS)[number]['value'];

function PublishDialog({ onPublished, onClose }: { onPublished: () => void; onClose: () => void }) {
  const version = useSignal('');
  const url = useSignal('');
  const effect = useSignal<Effect>('14');
  const submit = async () => {
    const when =
      effect.value === 'now' ? { now: true as const } : { effective_at: inDays(Number(effect.value)) };
    const made = await call('publishTerms', { body: { version: version.value, url: url.value, ...when } });
    toast(
      effect.value === 'now'
        ? termsTexts.doneAtOnce(made.version)
        : termsTexts.done(made.version, formatTime(made.effective_at)),
    );
    onPublished();
  };
  return (
    <FormDialog
      title={termsTexts.publishTitle}
      submit={termsTexts.publish}
      look="danger"
      lead={
        <Note tone="warning" icon="warning">
          {termsTexts.publishText}
        </Note>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={termsTexts.version}
        name="version"
        hint={termsTexts.versionHint}
        autocomplete="off"
        required
        autofocus
        value={version.value}
        onInput={(value) => (version.value = value)}
      />
      <TextField
        label={termsTexts.url}
        name="url"
        type="url"
        placeholder="https://"
        autocomplete="off"
        required
        value={url.value}
        onInput={(value) => (url.value = value)}
      />
      <SelectField
        label={termsTexts.effect}
        name="effective_at"
        value={effect.value}
        choices={EFFECTS}
        onChange={(value) => (effect.value = value)}
      />
    </FormDialog>
  );
}
