import { useEffect, useMemo } from 'preact/hooks';

/** Token behind the `#` of the address, or empty. Removes it from the address, where others could read it. */
export function useLinkToken(): string {
  const token = useMemo(() => location.hash.slice(1), []);
  useEffect(() => {
    if (token !== '') history.replaceState(history.state, '', location.pathname);
  }, [token]);
  return token;
}
