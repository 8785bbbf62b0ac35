import { call, useAction, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { exportTexts } from '../../texts/account.ts';
import {
  Ago,
  Button,
  Card,
  type Column,
  ErrorNote,
  formatDay,
  LinkButton,
  Loaded,
  NotAll,
  Table,
  toast,
} from '../../ui/index.ts';

const POLL_MS = 2_000;
type Archive = Awaited<ReturnType<typeof call<'listExports'>>>['exports'][number];

const COLUMNS: readonly Column<Archive>[] = [
  { title: exportTexts.state, cell: stateOf, share: 2 },
  { title: exportTexts.when, cell: ({ asked_at }) => <Ago at={asked_at} />, share: 1, secondary: true },
  {
    title: exportTexts.until,
    cell: ({ expires_at }) => (expires_at ? formatDay(expires_at) : ''),
    share: 1,
    secondary: true,
  },
  {
    title: exportTexts.actions,
    cell: ({ export_id, status }) =>
      status === 'ready' && (
        <LinkButton small icon="external" href={`/portal/api/exports/${export_id}/archive`}>
          {exportTexts.download}
        </LinkButton>
      ),
    share: 1,
    atEnd: true,
  },
];

export function ExportCard() {
  const archives = useResource(() => call('listExports'), [], { everyMs: POLL_MS });
  const { run, busy, problem } = useAction(async () => {
    await call('askForExport');
    toast(exportTexts.asked);
    await archives.reload();
  });
  return (
    <Card
      title={exportTexts.title}
      actions={
        <Button small busy={busy.value} onClick={() => inBackground(run())}>
          {exportTexts.ask}
        </Button>
      }
    >
      <div class="stack">
        <p>{exportTexts.text}</p>
        {problem.value && <ErrorNote problem={problem.value} />}
        <Loaded resource={archives}>
          {({ exports, has_more }) =>
            exports.length === 0 ? (
              <p class="quiet">{exportTexts.none}</p>
            ) : (
              <>
                <Table
                  label={exportTexts.title}
                  columns={COLUMNS}
                  rows={exports}
                  keyOf={({ export_id }) => export_id}
                />
                {has_more && <NotAll>{exportTexts.notAll}</NotAll>}
              </>
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}

function stateOf({ status, progress, rows, size }: Archive): string {
  if (status === 'preparing') return exportTexts.preparing(progress, rows);
  return status === 'ready' ? exportTexts.ready(exportTexts.megabytes(size ?? 0)) : exportTexts.failed;
}
