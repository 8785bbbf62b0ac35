/** A line of the checklist for real numbers. `parley verify` checks those that are `checked`, and asks about the others. */
interface Line {
  readonly id: string;
  readonly text: string;
  readonly checked?: true;
}
interface Chapter {
  readonly title: string;
  readonly lead: string;
  readonly lines: readonly Line[];
}

/** The page docs/real-number-checklist.md is made from this table, and so are the steps of the command. */
export const CHECKLIST = [
  {
    title: '## 0. Before (5 minutes)',
    lead: 'Start the gateway with `PARLEY_NETWORK=whatsapp`, in production mode, with `PARLEY_LOG_LEVEL=debug`, and a webhook receiver that shows what it gets on all four URLs. Keep the log in\na file. `$LOG` below is that file.',
    lines: [
      {
        id: 'is-a-learned',
        text: '`parley doctor`: `client version` is a learned one, some seconds old; `parley_client_version_info{…,source="learned"}` on `/metrics`. In `$LOG`: no `client could not be fetched`.',
      },
      {
        id: 'is-0-now',
        text: '`grep -c "refuses the login of a number" $LOG` is 0, now and at the end of every chapter.',
      },
    ],
  },
  {
    title: '## 0a. Between two linked numbers (automatic, 5 minutes)',
    lead: '`parley verify --a <number> --b <number>` does this alone, then asks about every line below. Both numbers must be linked to the gateway. Their chats get a dozen messages, and a group and a channel that are left behind.',
    lines: [
      {
        id: 'both-connected',
        text: 'Both sessions are `connected`, and neither number is restricted.',
        checked: true,
      },
      {
        id: 'number-lookup',
        text: 'The numbers are looked up from each other: both are on the network, and each has one address.',
        checked: true,
      },
      {
        id: 'text-both-ways',
        text: 'A text from A to B and one back: `delivered` on both sides, and each arrives once as an event of the other.',
        checked: true,
      },
      {
        id: 'five-quickly',
        text: 'Five texts from A to B in a row: all `delivered`, in their order.',
        checked: true,
      },
      {
        id: 'kinds',
        text: 'Reply, image, document, location, contact card and poll: all `delivered`.',
        checked: true,
      },
      { id: 'changes', text: 'Reaction and taking it back, edit, revoke: all `sent`.', checked: true },
      { id: 'story', text: 'A text story: `sent`.', checked: true },
      {
        id: 'presence',
        text: 'Presence policy `unavailable` and back to the one before; typing; a subscription to the other.',
        checked: true,
      },
      { id: 'people', text: 'Contacts, About, blocklist, identity of the other: answered.', checked: true },
      {
        id: 'group',
        text: 'A makes a group of both, renames and describes it, promotes and demotes B, lets admins write alone and everybody again, writes, renews the invite link, removes B, who joins again by the link; both leave.',
        checked: true,
      },
      {
        id: 'channel',
        text: 'A makes a channel, B follows it; a text and an image are posted; B reacts, mutes, unfollows.',
        checked: true,
      },
    ],
  },
  {
    title: '## 1. Linking (5 minutes)',
    lead: '',
    lines: [
      {
        id: 'pairing-code-while',
        text: 'Pairing code: while it is typed, A speaks of `Chrome (Ubuntu)`. `paired` within 10 s; the list of linked devices on A shows `PARLEY_WHATSAPP_DEVICE_NAME`. If the network gives no code, the attempt ends in `error` with the reason, and no code is shown: note it.',
      },
      { id: 'the-device-is', text: "`DELETE /v1/sessions/{id}`: the device is gone from A's list." },
      {
        id: 'qr-leave-the',
        text: 'QR: leave the first alone for 70 s, scan the second. `paired` within 10 s.',
      },
      {
        id: 'scan-a-qr',
        text: "Scan a QR of A's attempt with B: it ends in `error`, and B's list of linked devices is as before.",
      },
      {
        id: 'the-large-account',
        text: "The large account: within some minutes `GET …/contacts` holds A's whole address book and `GET …/groups` all groups. Watch the memory of the process (`process_resident_memory_bytes`) meanwhile: it comes back to where it was. In `$LOG`: no `app state` or `history` error that repeats.",
      },
      {
        id: 'lock-a-s',
        text: "Lock A's screen and let B write: A notifies (policy `auto`, no `events_url` yet).",
      },
    ],
  },
  {
    title: '### A number that is guarded by a passkey (10 minutes; not every account is)',
    lead: 'Malformed stanzas are said to put a number at risk, so take one that can be lost. None of this was seen on the real network before; keep `$LOG`, and note each difference from\n[ADR 19](adr/0019-linking-with-a-passkey.md).',
    lines: [
      {
        id: 'qr-with-the',
        text: 'QR, with the extension: after the scan the phone says “Continue on your other device”, and the onboarding is `passkey` within some seconds. Open the `url` on a computer, click the icon of the extension, confirm in the tab that it opens. Note `rpId`, `timeout` and `allowCredentials` of the options (`whatsapp.com`, 600000, none are expected).',
      },
      {
        id: 'within-five-minutes',
        text: 'Within five minutes: `paired` without a code to compare. The phone lists the device; a text to B is `delivered`.',
      },
      {
        id: 'by-code-by',
        text: "By code, by hand (the snippet in the console of WhatsApp Web): `paired`. Note whether the phone's greeting carried its key (`confirm` after a quick signature means that it did not).",
      },
      {
        id: 'with-the-phone',
        text: 'With the phone as authenticator (second QR of the browser, Bluetooth), with a synced passkey, with a password manager: note which of them works with the extension.',
      },
      {
        id: 'wait-six-minutes',
        text: 'Wait six minutes before signing: `confirm`, and phone and page show the same eight characters. Note what the phone asks, and whether it links before the owner has confirmed here.',
      },
      {
        id: 'sign-with-the',
        text: 'Sign with the passkey of another number: `error`, which says that the passkey was not accepted, and a fresh attempt works.',
      },
      {
        id: 'give-up-on',
        text: "Give up on the page: the phone ends its wait, and no device is left on it. “Don't link” on the phone after the scan, and again after signing: note what the network says, after how long the attempt ends, and with which words.",
      },
      {
        id: 'close-whatsapp-on',
        text: 'Close WhatsApp on the phone after signing: `error` after two minutes, which says that the phone did not continue.',
      },
      {
        id: 'scan-sign-nothing',
        text: 'Scan, sign nothing, scan once more: note whether a second request comes, and that the newest one links, with a code to compare.',
      },
      {
        id: 'an-account-that',
        text: 'An account that has no passkey: the phone asks to create one; the attempt ends with `passkey_missing`, or goes on once it is created: note which, and whether the request comes before.',
      },
      {
        id: 'the-gateway-at',
        text: '`kill -9` the gateway at `passkey`, and right after signing: the phone shows no device that the portal does not, and a fresh attempt works.',
      },
      {
        id: 'an-account-that-is',
        text: 'An account that is asked at each login: the session is `reconnecting` with `passkey_required`; note the stanza, and whether it comes before or in place of `<success>`; answer it by the `url`: `connected`, and a text that was sent meanwhile is `delivered`. Note in `$LOG` how often the number logs in.',
      },
      {
        id: 'of-the-challenge',
        text: '`grep -c` of the challenge, of the signature and of the code in `$LOG`, and of `clientDataJSON`: 0.',
      },
    ],
  },
  {
    title: '## 2. Sending: first contact, LIDs, tokens (5 minutes)',
    lead: '',
    lines: [
      {
        id: 'to-b-b',
        text: 'To B: `sent`, `delivered`, `read`. B sees one message, not “Waiting for this message”. In `$LOG`: no ack error 400, 463, 475 or 479 (`grep -cE \'"error":"(400|421|463|475|479)"\' $LOG` is 0), and the message went to `…@lid`.',
      },
      {
        id: 'five-more-to',
        text: 'Five more to B, quickly: in `$LOG` at most one request for a token (`privacy`) to B, not one per message.',
      },
      {
        id: 'to-c-who',
        text: 'To C, who does not know A: `sent` and `delivered`, or `failed` with a detail about new chats. Note which, and whether the code is 463 (new chats are locked) or 475 (their quota is used up). No retry follows either.',
      },
      {
        id: 'to-a-number',
        text: 'To a number that is not on the network: `failed` with `INVALID_RECIPIENT`, and nothing was sent.',
      },
      {
        id: 'to-a-brazilian',
        text: "To a Brazilian, Mexican or Argentinian number, in both spellings (with and without the ninth digit, the 1 or the 9), and to B right behind each: all `sent` and `delivered` within seconds, and both spellings are one chat on A. `POST …/validate` of both answers one `jid`. Note what `contact` of the network's answer repeats.",
      },
      {
        id: 'text-with-a',
        text: 'Text with a link: the link works, and the gateway makes no request for it. Reply, image, video, voice (Ogg Opus), document, sticker, location, contact card.',
      },
      {
        id: 'video-thumbnail',
        text: "On B's phone: the video shows its duration and a thumbnail before it is downloaded (MP4 and MOV, with FFmpeg on the gateway's machine and without), its shape is right, also of one recorded upright, and it starts to play before all of it is there. The same on iOS.",
      },
      {
        id: 'voice-waveform',
        text: "On B's phone: the voice message shows its seconds and a waveform that follows the voice, before it is played and while; a sent MP3 shows its seconds.",
      },
      {
        id: 'reaction-and-taking',
        text: 'Reaction and taking it back, edit, revoke; poll: B votes and takes it back.',
      },
      { id: 'story-b-sees', text: 'Story: B sees it; C does not. In `$LOG`: no 479.' },
      {
        id: 'in-a-group',
        text: "In a group of both: a text, and revoke another member's message as admin. One `delivered` and one `read` per member. In `$LOG`: no 421 or 400; after a 421 one more stanza of the same id, and no third.",
      },
      {
        id: 'from-b-s',
        text: 'B edits a text, a caption and, in a group, a text: `edited_message_id` with the new text, no `unreadable_update`. B renames a poll, adds an option and votes for it; renames an event and answers it. In a community, B reacts to an announcement and comments on it.',
      },
      {
        id: 'interactive-each-kind',
        text: 'Interactive, each kind of button, on Android and on iOS: note what is shown where. Best effort.',
      },
    ],
  },
  {
    title: '## 3. Receiving and presence (5 minutes)',
    lead: '',
    lines: [
      {
        id: 'from-b-each',
        text: 'From B: each kind of the list above; media comes with `status: downloaded`, a file over 4 MB with `too_large`; a view-once as type `other` with `unavailable: view_once`.',
      },
      {
        id: 'an-ad-is-answered',
        text: 'B writes by an ad that leads to WhatsApp, or right after a new device of B was linked: if the message comes without content, it is asked for from A, and arrives once within a minute. Switch A off first: it arrives after A is on again, once. Note the attributes of `<unavailable>` and whether the request shows on A.',
      },
      {
        id: 'an-old-photo',
        text: 'An old photo of B, of some weeks ago, forwarded to A or asked for again: `downloaded`, or `error` once and then `downloaded` after the phone has uploaded it anew.',
      },
      {
        id: 'now-set-b',
        text: "Now set `events_url`. B types, records, stops: `typing` events. Lock A's screen and let B write: A does **not** notify; that is what `available` means.",
      },
      {
        id: 'a-notifies-again',
        text: '`PUT …/presence-policy {"policy": "unavailable"}`: A notifies again, `typing` does not come. Back to `auto`.',
      },
      {
        id: 'subscribe-to-b',
        text: "Subscribe to B's presence: B goes online and offline: two events. Cut the connection (below): still so afterwards.",
      },
      {
        id: 'b-calls-voice',
        text: 'B calls, voice and video: `offer` and `terminate`; with auto-reject B gets the rejection at once.',
      },
      {
        id: 'read-a-chat',
        text: "Read a chat on A's phone: its unread count falls here too, and B gets the blue ticks once.",
      },
      {
        id: 'with-kept-conversations',
        text: "With kept conversations: B writes, read it on A's phone: `GET …/chats` shows no unread messages in B's chat, and the event `chat` has `read`. The same in a group; note the attributes of the receipt in `$LOG`.",
      },
      {
        id: 'reinstall-whatsapp-on',
        text: "Reinstall WhatsApp on B, or restore A's backup: the next messages both ways arrive, each once, in the direct chat and in a group of both. In `$LOG`: no decryption failure that repeats.",
      },
      {
        id: 'b-sends-one',
        text: "B sends one message to a broadcast list with A in it: one event, in B's chat, `broadcast: false`; `…/read` shows two blue ticks on B. A's phone sends one to a list with B: one event with `from_me`, whose `chat_jid` ends in `@broadcast`; note its attributes in `$LOG`.",
      },
      {
        id: 'if-a-number',
        text: 'If a number can be spared: B changes the number. The groups of both list the new one, messages both ways arrive, and a send to the old number is `INVALID_RECIPIENT`.',
      },
    ],
  },
  {
    title: '## 4. Connection (5 minutes)',
    lead: '',
    lines: [
      {
        id: 'cut-the-gateway',
        text: "Cut the gateway's network for two minutes: `reconnecting` with `connection_lost`, the event `disconnected`, then `connected`; a message that B wrote meanwhile comes once.",
      },
      {
        id: 'the-gateway-while',
        text: '`kill -9` the gateway while B sends ten messages in a row, start it again: all ten come, each once; B sees two ticks on all. No pairing needed.',
      },
      {
        id: 'the-session-is',
        text: '`PARLEY_WHATSAPP_VERSION=2.3000.1000000000`: the session is `offline` with `client_outdated` (note the code in `$LOG`), and is not tried again for an hour. With `auto` again: connected at the start.',
      },
      {
        id: 'a-version-ends',
        text: 'If `parley_client_version_expires_seconds` shows itself with an old version: note the time and the `client_expiration` in `$LOG`, whether each login repeats it, and that the numbers go over to a newer version within an hour.',
      },
      {
        id: 'connection-media-and',
        text: '`PARLEY_WHATSAPP_PROXIES=<A>=socks5://…`: connection, media and the page of the version go through it. Stop the proxy: `proxy_failed`; start it: `connected`.',
      },
      {
        id: 'unlink-on-a',
        text: 'Unlink on A: `logged_out` with the reason `logged_out` at once, sends answer 409, and nothing knocks any more (`tcpdump`).',
      },
      {
        id: 'a-ban-cannot',
        text: 'A ban cannot be ordered. If one comes: `offline`, `temporarily_banned`, `until_unix` as the app on A says; one line `refuses the login of a number` in `$LOG`, and no login before `retryAt`. Keep the log: captures of 402, 403, 405, 406 and 409 are rare.',
      },
    ],
  },
  {
    title: '## 5. Groups, contacts, channels (5 minutes, after linking again)',
    lead: '',
    lines: [
      {
        id: 'create-add-b',
        text: 'Create, add (B allows it / forbids it), promote, demote, remove, rename, describe, photo set and removed, announce, locked, join approval, who adds, disappearing messages, invite link and its reset, join, leave.',
      },
      {
        id: 'approval-group-b',
        text: "Approval group: B makes a group and lets admins approve new members (Group permissions → Approve new members). A joins by its link: 202 with `pending_approval`, again by a second call, and B's phone shows one request. B approves: the event `group` with `added` or `joined`, and A may send there. Make A an admin and let a third phone ask: `join_requested`; reject it: `join_request_withdrawn`.",
      },
      {
        id: 'with-a-as',
        text: 'With A as admin and two phones that ask: `GET …/groups/{gid}/requests` lists both with the time of their request (note `method`); approve one, reject the other with `POST …/requests`: `ok` for each, the first is in the group, and the list is empty. Ask about one of them again: `ok: false`, and nothing changes.',
      },
      {
        id: 'a-contact-saved',
        text: 'A contact saved on A appears, one removed there loses its name. Photo of B: visible, hidden from A, never set (200, 403, 404). About, blocklist, number check of 50 numbers.',
      },
      {
        id: 'own-about',
        text: '`PUT` the own About text: B sees it on the phone. A number that never wrote before is looked up and reached.',
      },
      {
        id: 'channel-create-with',
        text: 'Channel: create with and without picture, send text, image, video, audio and document (all appear, the image with a thumbnail before it is opened), follow by link and by JID, mute, react, unfollow, list.',
      },
      {
        id: 'look-at-the',
        text: 'Look at the channel on a phone: the image is shown, with its preview, and opens in full.',
      },
    ],
  },
  {
    title: '## What must not be seen',
    lead: '',
    lines: [
      { id: 'no-phone-s', text: "`$LOG`: no phone's message, no key, no code, and nothing from libsignal." },
      {
        id: 'is-what-the',
        text: '`grep -cE \'"error":"(400|421|463|475|479)"\' $LOG` is what the lines above expected, at the end of the day: no other.',
      },
      {
        id: 'the-database-file',
        text: 'The database file: no message text and no name (`strings` on it finds none).',
      },
    ],
  },
  {
    title: '## Over night',
    lead: '',
    lines: [
      {
        id: 'leave-the-number',
        text: 'Leave the number alone: still `connected` in the morning, `$LOG` shows how often it had to reconnect, and the page of the version was read again after a day.',
      },
    ],
  },
] as const satisfies readonly Chapter[];
