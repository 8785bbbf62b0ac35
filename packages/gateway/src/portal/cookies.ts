/** Who can be signed in, each with a cookie of their own: the same browser may hold both. */
export type VisitorKind = 'owner' | 'operator';

export interface Cookies {
  /** The token in a Cookie header; undefined when there is none. */
  read(header: string | undefined, kind: VisitorKind): string | undefined;
  /** A Set-Cookie header. */
  give(kind: VisitorKind, token: string, seconds: number): string;
  takeBack(kind: VisitorKind): string;
}

/** Scripts cannot read them and other sites' requests do not carry them; in production they travel over https only. */
export function createCookies({ secure }: { secure: boolean }): Cookies {
  // With this prefix a browser takes the cookie only from the very host that it goes back to.
  const prefix = secure ? '__Host-' : '';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  const nameOf = (kind: VisitorKind): string => `${prefix}parley_${kind}`;

  return {
    read(header = '', kind) {
      const start = `${nameOf(kind)}=`;
      const found = header
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(start));
      return found?.slice(start.length) || undefined;
    },
    give: (kind, token, seconds) => `${nameOf(kind)}=${token}; Max-Age=${seconds}; ${attributes}`,
    takeBack: (kind) => `${nameOf(kind)}=; Max-Age=0; ${attributes}`,
  };
}
