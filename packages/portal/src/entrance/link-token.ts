import { useEffect, useMemo } from 'preact/hooks';

/** What stands behind the `#` of the address; empty where nothing does. It does not stay there, where others could read it. */
export function useLinkToken(): string {
  const token = useMemo(() => location.hash.slice(1), []);
  useEffect(() => {
    if (token !== '') history.replaceState(history.state, '', location.pathname);
  }, [token]);
  return token;
}
