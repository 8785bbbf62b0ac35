import type { ComponentChildren } from 'preact';
import './pictures.css';

/** Drawings of the screens at each step, in the page's colours. They repeat the text beside them. */

function Picture({ children }: { children: ComponentChildren }) {
  return (
    <svg class="picture" viewBox="0 0 120 90" aria-hidden="true">
      {children}
    </svg>
  );
}

function Handset({ children }: { children: ComponentChildren }) {
  return (
    <>
      <rect class="picture-body" x="38" y="4" width="44" height="82" rx="7" />
      <rect class="picture-screen" x="42" y="10" width="36" height="68" rx="3" />
      {children}
    </>
  );
}

function Computer({ children }: { children: ComponentChildren }) {
  return (
    <>
      <rect class="picture-body" x="14" y="8" width="92" height="60" rx="5" />
      <rect class="picture-screen" x="19" y="13" width="82" height="50" rx="2" />
      <path class="picture-body" d="M4 74h112l-6 8H10z" />
      {children}
    </>
  );
}

const KEY = 'M0-6a6 6 0 1 1 0 12a6 6 0 1 1 0-12M6 0h16M22 0v6M16 0v5';

export function PhoneWaits() {
  return (
    <Picture>
      <Handset>
        <rect class="picture-line" x="48" y="20" width="24" height="4" rx="2" />
        <rect class="picture-faint" x="48" y="28" width="18" height="3" rx="1.5" />
        <rect class="picture-accent" x="52" y="42" width="16" height="11" rx="1.5" />
        <rect class="picture-accent" x="49" y="55" width="22" height="2.5" rx="1.25" />
        <g class="picture-dots">
          <circle cx="54" cy="68" r="1.8" />
          <circle cx="60" cy="68" r="1.8" />
          <circle cx="66" cy="68" r="1.8" />
        </g>
      </Handset>
    </Picture>
  );
}

export function ComputerAsks() {
  return (
    <Picture>
      <Computer>
        <rect class="picture-card" x="38" y="18" width="44" height="40" rx="4" />
        <g class="picture-stroke" transform="translate(52 31)">
          <path d={KEY} />
        </g>
        <rect class="picture-accent" x="46" y="46" width="28" height="7" rx="3.5" />
      </Computer>
    </Picture>
  );
}

export function PhoneGoesOn() {
  return (
    <Picture>
      <Handset>
        <circle class="picture-good" cx="60" cy="40" r="13" />
        <path class="picture-tick" d="M54 40.5l4.5 4.5L66.5 36" />
        <rect class="picture-line" x="50" y="60" width="20" height="4" rx="2" />
      </Handset>
    </Picture>
  );
}

export function BothShowCode() {
  return (
    <Picture>
      <rect class="picture-body" x="4" y="18" width="66" height="46" rx="4" />
      <rect class="picture-screen" x="8" y="22" width="58" height="38" rx="2" />
      <path class="picture-body" d="M0 68h74l-4 6H4z" />
      <rect class="picture-accent" x="16" y="36" width="42" height="10" rx="2" />
      <rect class="picture-body" x="80" y="10" width="36" height="70" rx="6" />
      <rect class="picture-screen" x="84" y="15" width="28" height="58" rx="2" />
      <rect class="picture-accent" x="87" y="36" width="22" height="10" rx="2" />
    </Picture>
  );
}
