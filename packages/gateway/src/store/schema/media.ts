import type { Generated } from 'kysely';

export interface MediaTables {
  media: MediaRow;
  media_objects: MediaObjectRow;
  media_pins: MediaPinRow;
  media_arrivals: MediaArrivalRow;
  media_reservations: MediaReservationRow;
}

/** A file that somebody was told the id of. */
export interface MediaRow {
  id: string;
  account_id: string;
  /** The one number whose keys may have it; null: any key of the account. */
  phone: string | null;
  /** Where its bytes are; empty: not here, but the network may have them. */
  object_id: string;
  size: number;
  /** Its media type, name and hash, and where the network has it, sealed under the account's own key. */
  details: Uint8Array;
  made_at: number;
  expires_at: number;
}

/** Bytes in the media store; those of one account that are the same are there once. */
export interface MediaObjectRow {
  id: string;
  account_id: string;
  /** Tells equal files of an account from different ones, and without its key nothing else. */
  fingerprint: Uint8Array;
  size: number;
  /** Grows with every row that comes to refer to it, so that whoever drops it notices. */
  uses: number;
  made_at: number;
  /** What its size counts against; null: the files of the account. */
  budget: Generated<'export' | null>;
}

/** Room for a file on its way. */
export interface MediaReservationRow {
  /** The object that it becomes. */
  id: string;
  account_id: string;
  budget: 'media' | 'export';
  size: number;
  /** The process that takes the file. */
  holder: string;
  expires_at: number;
}

/** A file that a queued message needs. The pin counts as long as that message is in the outbox. */
interface MediaPinRow {
  media_id: string;
  slot_id: string;
  seq: number;
}

/** That a file came with a message of a number. */
export interface MediaArrivalRow {
  media_id: string;
  slot_id: string;
  /** The conversation that it is kept with: it goes when the message goes. Null: it is not kept. */
  history_id: string | null;
  chat: string | null;
  message_id: string | null;
  /** Until when its bytes are at hand; null: as long as the row is, or not at all. */
  copy_until: number | null;
}
