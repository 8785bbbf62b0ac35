import { useEffect } from 'preact/hooks';
import { call, useResource } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { loadVisit } from '../state/visit.ts';
import { verifyTexts } from '../texts/team.ts';
import { LinkButton, Loaded, Note } from '../ui/index.ts';
import { EntranceFrame } from './frame.tsx';
import { useLinkToken } from './link-token.ts';

/** Page of the link in the verification mail. */
export default function VerifyScreen() {
  const token = useLinkToken();
  const verified = useResource(async () => {
    await call('verifyEmail', { body: { token } });
    return true;
  }, [token]);
  useEffect(() => {
    if (verified.data) inBackground(loadVisit());
  }, [verified.data]);
  return (
    <EntranceFrame title={verifyTexts.title}>
      <div class="stack">
        <h1>{verified.data ? verifyTexts.verified : verifyTexts.title}</h1>
        <Loaded resource={verified}>
          {() => (
            <>
              <Note tone="good" icon="check">
                {verifyTexts.verifiedText}
              </Note>
              <LinkButton href="/portal">{verifyTexts.go}</LinkButton>
            </>
          )}
        </Loaded>
      </div>
    </EntranceFrame>
  );
}
