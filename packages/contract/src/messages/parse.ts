import type { TObject } from 'typebox';
import { isGroup } from '../jid.ts';
import type { Feature } from '../plans.ts';
import { type Complaint, complaint, type Refused, refused } from '../validate/complaint.ts';
import { isObject } from '../validate/explain.ts';
import { type Fields, fieldsOfAll, strangerIn } from '../validate/variants.ts';
import { plainContentComplaint } from './content.ts';
import { isSendKind, SEND_KINDS, SEND_TYPES, type SendKindName, type SendRequest } from './kinds.ts';
import { STATUS_TYPES } from './status.ts';

/** Fields of all kinds. A status has no `to`; it is ignored there like every field of another kind. */
const known = fieldsOfAll(Object.values(SEND_KINDS).map((kind): TObject => kind.schema));

/** Parses the body of `POST /v1/messages`. An accepted send has only fields of its kind, and bare JIDs. */
export function parseSend(body: unknown): { readonly ok: true; readonly send: SendRequest } | Refused {
  if (!isObject(body)) return refused(complaint('body', 'body must be a JSON object'));
  const stranger = strangerIn(known, body);
  if (stranger !== null) return refused(stranger);
  const kind = kindOf(body);
  if (typeof kind !== 'string') return refused(kind);
  const result = SEND_KINDS[kind].parse(body);
  return result.ok ? { ok: true, send: result.value } : result;
}

function kindOf(body: Fields): SendKindName | Complaint {
  const type = present(body.type);
  if (type === undefined) return plainKindOf(body);
  if (type === 'status') return statusKindOf(body);
  if (isSendKind(type) && SEND_TYPES.some((known) => known === type)) return type;
  return complaint('type', `type must be one of ${SEND_TYPES.join(', ')}, or absent for text and media`);
}

function plainKindOf(body: Fields): SendKindName | Complaint {
  const content = {
    text: present(body.text),
    media_type: present(body.media_type),
    media_url: present(body.media_url) ?? present(body.media_id) ?? present(body.media_base64),
  };
  if (content.media_url !== undefined && content.media_type === undefined && !present(body.media_url))
    return complaint('media_type', 'media_type is required with media_id and media_base64');
  return plainContentComplaint(content) ?? (content.media_url === undefined ? 'text' : 'media');
}

function statusKindOf({ status_type }: Fields): SendKindName | Complaint {
  if (status_type === 'text') return 'text_status';
  if (status_type === 'image' || status_type === 'video') return 'media_status';
  return complaint('status_type', `status_type must be one of ${STATUS_TYPES.join(', ')}`);
}

function present(field: unknown): unknown {
  return field === '' || field === null ? undefined : field;
}

/** Features that the number's plan must include for this send. */
export function featuresOf(send: SendRequest): readonly Feature[] {
  return 'to' in send && isGroup(send.to) ? [send.kind, 'groups'] : [send.kind];
}

/** Public `type` of a send: its own, or `text` and `media` for plain messages. */
export function typeOfSend(send: SendRequest): string {
  return 'type' in send ? send.type : send.kind;
}
