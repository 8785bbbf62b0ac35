import Type from 'typebox';
import type { Content, PhoneNumber, World } from '../world/index.ts';
import { Refusal } from './errors.ts';
import { closed, reader } from './route.ts';

const PhoneMarks = closed({
  mentions: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 1_024 })),
  view_once: Type.Optional(Type.Boolean()),
  live: Type.Optional(Type.Boolean()),
});

interface Marks {
  readonly mentions: readonly PhoneNumber[];
  readonly viewOnce: boolean;
  readonly live: boolean;
}

const readMarks = reader(PhoneMarks);

/** Separates the marks that a phone can set and `POST /v1/messages` cannot. */
export function takePhoneMarks(
  world: World,
  { mentions, view_once, live, ...rest }: Record<string, unknown>,
): { rest: Record<string, unknown>; marks: Marks } {
  const given = Object.entries({ mentions, view_once, live }).filter(([, value]) => value !== undefined);
  const marks = readMarks(Object.fromEntries(given));
  return {
    rest,
    marks: {
      mentions: (marks.mentions ?? []).map((address) => {
        const phone = world.phones.find(address)?.phone;
        if (phone === undefined) throw new Refusal(400, `mentions: unknown address ${address}`);
        return phone;
      }),
      viewOnce: marks.view_once ?? false,
      live: marks.live ?? false,
    },
  };
}

/** Refuses a mark on content that cannot have it. */
export function marked(content: Content, marks: Marks): Content {
  let result = content;
  if (marks.viewOnce) result = seenOnce(result);
  if (marks.live) result = shownLive(result);
  return marks.mentions.length > 0 ? naming(result, marks.mentions) : result;
}

function seenOnce(content: Content): Content {
  if (content.type !== 'image' && content.type !== 'video' && content.type !== 'audio')
    throw new Refusal(400, 'view_once applies to images, videos and audios only');
  return { ...content, viewOnce: true };
}

function shownLive(content: Content): Content {
  if (content.type !== 'location') throw new Refusal(400, 'live applies to locations only');
  return { ...content, live: true };
}

function naming(content: Content, mentions: readonly PhoneNumber[]): Content {
  if (content.type !== 'text' && content.type !== 'image' && content.type !== 'video')
    throw new Refusal(400, 'mentions apply to texts, images and videos only');
  return { ...content, mentions: [...mentions] };
}
