import { call, useAction, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { securityTexts } from '../../texts/security.ts';
import {
  Ago,
  Badge,
  Button,
  Card,
  type Column,
  ErrorNote,
  Loaded,
  NotAll,
  Table,
  toast,
} from '../../ui/index.ts';
import { browserName } from './browser-name.ts';

type Session = Awaited<ReturnType<typeof call<'listBrowserSessions'>>>['sessions'][number];
const keyOf = ({ session_id }: Session): string => session_id;

/** Signed-in browsers, each with a button to sign out. */
export function BrowsersCard() {
  const sessions = useResource(() => call('listBrowserSessions'), []);
  const { run, busy, problem } = useAction(async ({ session_id }: Session) => {
    await call('endBrowserSession', { params: { session_id } });
    toast(securityTexts.signedOut);
    await sessions.reload();
  });
  const columns: readonly Column<Session>[] = [
    { title: securityTexts.browser, cell: ({ browser }) => browserName(browser), share: 2 },
    { title: securityTexts.address, cell: ({ address }) => address ?? '', share: 1.4, secondary: true },
    { title: securityTexts.seen, cell: ({ seen_at }) => <Ago at={seen_at} />, share: 1, secondary: true },
    {
      title: securityTexts.actions,
      cell: (session) =>
        session.current ? (
          <Badge tone="good">{securityTexts.thisOne}</Badge>
        ) : (
          <Button small busy={busy.value} onClick={() => inBackground(run(session))}>
            {securityTexts.signOut}
          </Button>
        ),
      share: 1,
      atEnd: true,
    },
  ];
  return (
    <Card title={securityTexts.browsers} flush>
      {problem.value && <ErrorNote problem={problem.value} />}
      <Loaded resource={sessions}>
        {(data) => (
          <>
            <Table label={securityTexts.browsers} rows={data.sessions} columns={columns} keyOf={keyOf} />
            {data.has_more && <NotAll>{securityTexts.browsersNotAll}</NotAll>}
          </>
        )}
      </Loaded>
    </Card>
  );
}
