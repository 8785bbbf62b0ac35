import { type Html, html } from '../../html.ts';

/** Line drawings for what a request only names by its address. Their colours are in `phone.css`. */

export const landscape: Html = html`<svg class="picture" viewBox="0 0 240 150" aria-hidden="true"><rect class="sky" width="240" height="150"/><circle class="sun" cx="184" cy="44" r="18"/><path class="far" d="M0 112 62 58l44 40 34-26 100 78H0z"/><path class="near" d="M0 150v-24c40-22 74-18 112-4s82 12 128-10v38z"/></svg>`;

export const map: Html = html`<svg class="picture" viewBox="0 0 240 110" aria-hidden="true"><rect class="land" width="240" height="110"/><path class="water" d="M0 84c52-26 96 8 142-8s68-30 98-26v60H0z"/><path class="street" d="M-4 30 96 44l148-28M60-4l20 60-16 58M158-4l-12 40 22 78"/><path class="pin" d="M120 72c-14-18-20-26-20-36a20 20 0 0 1 40 0c0 10-6 18-20 36z"/><circle class="pin-eye" cx="120" cy="36" r="7"/></svg>`;

export const sticker: Html = html`<svg class="sticker" viewBox="0 0 120 120" aria-hidden="true"><circle class="face" cx="60" cy="60" r="52"/><circle class="eye" cx="43" cy="50" r="6"/><circle class="eye" cx="77" cy="50" r="6"/><path class="smile" d="M36 70c8 18 40 18 48 0"/></svg>`;

export const waveform: Html = html`<svg class="waveform" viewBox="0 0 168 32" aria-hidden="true"><path class="play" d="M2 5v22l18-11z"/><path class="wave" d="M34 13v6m8-10v14m8-18v22m8-14v6m8-12v18m8-14v10m8-16v22m8-18v14m8-10v6m8-14v22m8-18v14m8-8v2m8-8v14m8-20v26m8-18v10m8-7v4m8-9v14"/></svg>`;

export const sheet: Html = html`<svg class="sheet" viewBox="0 0 28 34" aria-hidden="true"><path d="M2 0h16l10 10v22a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2z"/><path class="fold" d="M18 0v10h10z"/></svg>`;

export const person: Html = html`<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true"><circle class="ground" cx="20" cy="20" r="20"/><circle cx="20" cy="15" r="7"/><path d="M6 35c2-9 8-12 14-12s12 3 14 12a20 20 0 0 1-28 0z"/></svg>`;

export const people: Html = html`<svg class="avatar" viewBox="0 0 40 40" aria-hidden="true"><circle class="ground" cx="20" cy="20" r="20"/><circle cx="14" cy="16" r="5"/><circle cx="27" cy="16" r="5"/><path d="M5 31c1-7 5-9 9-9s8 2 9 9zM24 31c0-4-1-6-3-8 6-3 13 0 14 8z"/></svg>`;
