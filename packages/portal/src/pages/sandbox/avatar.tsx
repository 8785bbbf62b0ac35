const HUES = 6;

/** The first letter on a colour of its own; the name stands beside it. */
export function Avatar({ name, jid }: { name: string; jid: string }) {
  const hue = [...jid].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES;
  return (
    <span class={`avatar avatar-${hue}`} aria-hidden="true">
      {name.replace(/^\+/, '').charAt(0).toUpperCase()}
    </span>
  );
}
