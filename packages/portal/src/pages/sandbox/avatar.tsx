const HUES = 6;

/** Initial on a colour derived from the address; the name is beside it. */
export function Avatar({ name, jid }: { name: string; jid: string }) {
  const hue = [...jid].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % HUES;
  return (
    <span class={`avatar avatar-${hue}`} aria-hidden="true">
      {name.replace(/^\+/, '').charAt(0).toUpperCase()}
    </span>
  );
}
