import { type ReceiverFailure, WEBHOOK_TIMEOUT_SECONDS } from '@parley/contract';

interface Explanation {
  /** The failure in one line. */
  readonly title: (host: string, status: number | null) => string;
  /** Its usual cause. */
  readonly text: string;
  /** What to check, the likeliest first. */
  readonly steps: readonly string[];
}

/** Explanations of receiver failures, for readers who see them for the first time. */
export const failureTexts: Readonly<Record<ReceiverFailure, Explanation>> = {
  unauthorized: {
    title: (host, status) => `${host} refuses our requests (${status ?? 401})`,
    text: 'Your receiver answers, but does not accept our signature. Most often it checks with another secret than the one of this webhook.',
    steps: [
      'Compare the signing secret in your system with the one of this webhook. It cannot be shown again: if in doubt, rotate it and put the new one into your system.',
      'Check the signature over the body exactly as it came, before anything parses it.',
      'Look whether a login, a list of allowed addresses or a firewall stands before this address.',
    ],
  },
  not_found: {
    title: (host, status) => `${host} has nothing at this address (${status ?? 404})`,
    text: 'The server answers, but not for this path, or not for POST requests.',
    steps: [
      'Compare the address below with the route of your system, character by character.',
      'Make sure that the route takes POST requests with a JSON body.',
      'Look whether the last deployment still has this route.',
    ],
  },
  redirect: {
    title: (host, status) => `${host} redirects elsewhere (${status ?? 302})`,
    text: 'Redirects are not followed: a signed event goes to the address that you chose, and nowhere else.',
    steps: [
      'Enter the address that it redirects to. The Location header of the answer says which.',
      'Often it is https in place of http, or a slash at the end.',
    ],
  },
  rate_limited: {
    title: (host) => `${host} says that there are too many requests (429)`,
    text: 'Your receiver, or a service before it, limits how often it may be called.',
    steps: ['Raise the limit for our requests.', 'Answer at once and work afterwards, so that fewer wait.'],
  },
  rejected: {
    title: (host, status) => `${host} rejects our requests (${status ?? 400})`,
    text: 'Your receiver understood the request and rejected it. Its answer is shown with each attempt below.',
    steps: [
      'Read what it answered to the last attempt.',
      'Make sure that it takes JSON, and fields that it does not know yet.',
    ],
  },
  server_error: {
    title: (host, status) => `${host} answers with an error of its own (${status ?? 500})`,
    text: 'The request reached your system, which failed while it worked on it.',
    steps: [
      'Look into the log of your system at the time of the last attempt.',
      'Read what it answered: the first 4 KB are with each attempt below.',
      'Answer 200 as soon as the event is stored, and work on it afterwards.',
    ],
  },
  nowhere: {
    title: (host) => `The name ${host} leads nowhere`,
    text: 'No server on the public internet is found under this name. Its DNS entry is gone or mistyped, or it leads into a private network, where we send nothing.',
    steps: [
      'Look at the name in the address below for a slip.',
      'Ask the DNS for it, for example with “nslookup”. A domain may have expired, or a tunnel may have a new name.',
      'Make sure that it leads to a public address.',
    ],
  },
  unreachable: {
    title: (host) => `${host} cannot be reached`,
    text: 'The name is known, but the server accepts no connection.',
    steps: [
      'Look whether your server runs, and listens at this port.',
      'Look whether a firewall lets connections from the internet through.',
    ],
  },
  certificate: {
    title: (host) => `The certificate of ${host} is not trusted`,
    text: 'It has expired, is for another name, or misses the certificates between it and its issuer.',
    steps: ['Renew it.', 'Serve the whole chain, not only the certificate itself.'],
  },
  timeout: {
    title: (host) => `${host} is too slow`,
    text: `It gave no complete answer within ${WEBHOOK_TIMEOUT_SECONDS} seconds. An event that takes longer counts as not delivered and is sent again, so it may arrive more than once.`,
    steps: [
      'Answer 200 as soon as the event is stored, and do the work afterwards: in a queue, or in the background.',
      'Look what your system waits for: a database, another service, a cold start.',
    ],
  },
  broken_answer: {
    title: (host) => `${host} breaks off its answers`,
    text: 'The connection was closed before the answer was complete, or what came was not HTTP.',
    steps: [
      'Look whether your server, or a proxy before it, restarts while it answers.',
      'Make sure that the port speaks HTTP, and https where the address says so.',
    ],
  },
};

export const failingTexts = {
  why: 'What to look at',
  since: 'Failing since',
  last: 'Last failure',
  next: 'Next attempt',
  withNextEvent: 'with the next event',
  waiting: 'Waiting',
  manyWaiting: '10,000 or more',
  oldest: 'Oldest waits since',
  leftAlone:
    'After so many failures only one event at a time is tried, ever more rarely. Waiting events use up no attempt, and go out as soon as one succeeds.',
  address: 'Address',
  tryNow: 'Try now',
  trying: 'The next attempt is on its way.',
} as const;
