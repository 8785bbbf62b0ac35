// Made from the contract by `npm run gen`. Do not edit.

import type { Call, CallOptions } from '../call.ts';
import type {
  Account,
  AccountBilling,
  AccountDeletion,
  AccountDeletionList,
  AccountList,
  AccountVisit,
  ApiKeyCreated,
  ApiKeyList,
  AuditLog,
  Billing,
  BillingWebhookSecret,
  CreateAccountBody,
  CreateApiKeyBody,
  CreateDeviceBody,
  DeadLetterList,
  DeleteAccountQuery,
  DeliveryQueued,
  Device,
  DeviceList,
  DriftList,
  ExportInvoicesQuery,
  FailingReceiverOfAllList,
  GetThroughputQuery,
  History,
  HostedSessionList,
  Invoice,
  InvoiceList,
  InvoicePage,
  ListAccountDeletionsQuery,
  ListAccountsQuery,
  ListApiKeysQuery,
  ListAuditLogQuery,
  ListDeadLettersQuery,
  ListDevicesQuery,
  ListHostedSessionsQuery,
  ListInvoicesQuery,
  ListNumbersOfAllQuery,
  ListQuarantineQuery,
  MarkInvoicePaidBody,
  MemberList,
  PasswordLink,
  PublishTermsBody,
  QuarantineList,
  QuarantineRetry,
  Queues,
  RegisteredNumberList,
  ResetPasswordBody,
  RollApiKeyBody,
  RunInvoicesBody,
  SetBillingWebhookBody,
  SetDeviceHistoryBody,
  TermsPublished,
  TermsVersionList,
  Throughput,
  UpdateAccountBillingBody,
  UpdateAccountBody,
  UpdateBillingBody,
  UpdateDeviceBody,
  VisitAccountBody,
  WorkerList,
} from './operator-types.ts';

export function accounts(call: Call) {
  return {
    /** Create an account */
    create: (body: CreateAccountBody, options?: CallOptions): Promise<Account> =>
      call({ method: 'POST', path: '/operator/v1/accounts', body }, options),
    /** List accounts */
    list: (query: ListAccountsQuery = {}, options?: CallOptions): Promise<AccountList> =>
      call({ method: 'GET', path: '/operator/v1/accounts', query }, options),
    /** Get an account */
    get: (accountId: string, options?: CallOptions): Promise<Account> =>
      call({ method: 'GET', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}` }, options),
    /** Suspend, reactivate, accept terms, set partner limits */
    update: (accountId: string, body: UpdateAccountBody, options?: CallOptions): Promise<Account> =>
      call({ method: 'PATCH', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}`, body }, options),
    /**
     * Make a link by which a member chooses a new password.
     *
     * For the first owner, unless `email` names another member. Good once, for 24 hours; the old password works until then. Needs no mail.
     */
    resetPassword: (accountId: string, body: ResetPasswordBody = {}, options?: CallOptions): Promise<PasswordLink> =>
      call({ method: 'POST', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/reset-password`, body }, options),
    /** List accounts that are to be deleted */
    listDeletions: (query: ListAccountDeletionsQuery = {}, options?: CallOptions): Promise<AccountDeletionList> =>
      call({ method: 'GET', path: '/operator/v1/account-deletions', query }, options),
    /**
     * Delete an account.
     *
     * After 14 days its numbers are unlinked and everything of it is erased, except for invoices that have a number. Until then it goes on, without new numbers, and the deletion can be canceled.
     */
    delete: (accountId: string, query: DeleteAccountQuery = {}, options?: CallOptions): Promise<AccountDeletion> =>
      call({ method: 'DELETE', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}`, query }, options),
    /**
     * Look at the portal as an account sees it.
     *
     * Signs the browser that asks in for 30 minutes. Nothing can be changed, conversations are not shown, and the owners of the account read who looked and why.
     */
    visit: (accountId: string, body: VisitAccountBody, options?: CallOptions): Promise<AccountVisit> =>
      call({ method: 'POST', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/visit`, body }, options),
    /** Keep an account that was to be deleted */
    keep: (accountId: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/deletion` }, options),
  };
}

export function members(call: Call) {
  return {
    /** List the members of an account */
    list: (accountId: string, options?: CallOptions): Promise<MemberList> =>
      call({ method: 'GET', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/members` }, options),
    /**
     * Turn two-factor sign-in off for a member.
     *
     * For a member who has lost both the app and the recovery codes. Make sure that the request is theirs.
     */
    resetTwoFactor: (accountId: string, memberId: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/members/${encodeURIComponent(memberId)}/two-factor` }, options),
  };
}

export function apiKeys(call: Call) {
  return {
    /** Create an API key */
    create: (accountId: string, body: CreateApiKeyBody, options?: CallOptions): Promise<ApiKeyCreated> =>
      call({ method: 'POST', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/api-keys`, body }, options),
    /** List API keys */
    list: (accountId: string, query: ListApiKeysQuery = {}, options?: CallOptions): Promise<ApiKeyList> =>
      call({ method: 'GET', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/api-keys`, query }, options),
    /** Revoke an API key */
    revoke: (accountId: string, keyId: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/api-keys/${encodeURIComponent(keyId)}` }, options),
    /**
     * Replace an API key by a new one that may do the same.
     *
     * The old one stays valid for `overlap_hours`, 24 by default, so that systems can switch without a gap; 0 ends it at once.
     */
    roll: (accountId: string, keyId: string, body: RollApiKeyBody = {}, options?: CallOptions): Promise<ApiKeyCreated> =>
      call({ method: 'POST', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/api-keys/${encodeURIComponent(keyId)}/roll`, body }, options),
  };
}

export function devices(call: Call) {
  return {
    /** Register a number */
    create: (accountId: string, body: CreateDeviceBody, options?: CallOptions): Promise<Device> =>
      call({ method: 'POST', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/devices`, body }, options),
    /** List the numbers of an account */
    list: (accountId: string, query: ListDevicesQuery = {}, options?: CallOptions): Promise<DeviceList> =>
      call({ method: 'GET', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/devices`, query }, options),
    /** Get a number */
    get: (slotId: string, options?: CallOptions): Promise<Device> =>
      call({ method: 'GET', path: `/operator/v1/devices/${encodeURIComponent(slotId)}` }, options),
    /** Change plan or status of a number */
    update: (slotId: string, body: UpdateDeviceBody, options?: CallOptions): Promise<Device> =>
      call({ method: 'PATCH', path: `/operator/v1/devices/${encodeURIComponent(slotId)}`, body }, options),
    /**
     * Get what a number keeps of its conversations.
     *
     * Counts only: conversations are readable to the account alone.
     */
    getHistory: (slotId: string, options?: CallOptions): Promise<History> =>
      call({ method: 'GET', path: `/operator/v1/devices/${encodeURIComponent(slotId)}/history` }, options),
    /** Choose whether a number keeps its conversations */
    setHistory: (slotId: string, body: SetDeviceHistoryBody, options?: CallOptions): Promise<History> =>
      call({ method: 'PUT', path: `/operator/v1/devices/${encodeURIComponent(slotId)}/history`, body }, options),
    /** List the numbers of all accounts */
    listAll: (query: ListNumbersOfAllQuery = {}, options?: CallOptions): Promise<RegisteredNumberList> =>
      call({ method: 'GET', path: '/operator/v1/devices', query }, options),
  };
}

export function terms(call: Call) {
  return {
    /**
     * Publish terms of service.
     *
     * Takes effect in 14 days by default: from then on every account must have accepted this version. Until then the portal and a mail ask the owners for it, and the API keeps working. An announced version that has not taken effect is replaced by the next one.
     */
    publish: (body: PublishTermsBody, options?: CallOptions): Promise<TermsPublished> =>
      call({ method: 'POST', path: '/operator/v1/tos', body }, options),
    /** List the versions of the terms of service */
    list: (options?: CallOptions): Promise<TermsVersionList> =>
      call({ method: 'GET', path: '/operator/v1/tos' }, options),
  };
}

export function sessions(call: Call) {
  return {
    /** List every session */
    list: (query: ListHostedSessionsQuery = {}, options?: CallOptions): Promise<HostedSessionList> =>
      call({ method: 'GET', path: '/operator/v1/sessions', query }, options),
  };
}

export function workers(call: Call) {
  return {
    /** List workers */
    list: (options?: CallOptions): Promise<WorkerList> =>
      call({ method: 'GET', path: '/operator/v1/workers' }, options),
  };
}

export function billing(call: Call) {
  return {
    /** Get prices, seller and numbering */
    get: (options?: CallOptions): Promise<Billing> =>
      call({ method: 'GET', path: '/operator/v1/billing' }, options),
    /**
     * Set prices, seller and numbering.
     *
     * For invoices from now on; what was issued stays as it is. `next_number` can be set until the first invoice has a number: afterwards they follow each other without gaps.
     */
    update: (body: UpdateBillingBody, options?: CallOptions): Promise<Billing> =>
      call({ method: 'PATCH', path: '/operator/v1/billing', body }, options),
    /**
     * Set the receiver of invoice webhooks.
     *
     * Every invoice with a number is posted there as `{"type": "invoice.issued" or "invoice.paid" or "invoice.reopened", "invoice": …}` and signed like every webhook, until it is taken with a 2xx; for 30 days at most. Makes a new secret.
     */
    setWebhook: (body: SetBillingWebhookBody, options?: CallOptions): Promise<BillingWebhookSecret> =>
      call({ method: 'PUT', path: '/operator/v1/billing/webhook', body }, options),
    /** Remove the receiver of invoice webhooks */
    removeWebhook: (options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: '/operator/v1/billing/webhook' }, options),
    /** Get what was agreed with an account, and its address */
    getOfAccount: (accountId: string, options?: CallOptions): Promise<AccountBilling> =>
      call({ method: 'GET', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/billing` }, options),
    /** Set prices and address of an account */
    updateOfAccount: (accountId: string, body: UpdateAccountBillingBody, options?: CallOptions): Promise<AccountBilling> =>
      call({ method: 'PATCH', path: `/operator/v1/accounts/${encodeURIComponent(accountId)}/billing`, body }, options),
  };
}

export function invoices(call: Call) {
  return {
    /**
     * Close due periods.
     *
     * Makes one invoice per number and finished period. They are also made automatically, at most 5 minutes after a period has ended.
     */
    run: (body: RunInvoicesBody = {}, options?: CallOptions): Promise<InvoiceList> =>
      call({ method: 'POST', path: '/operator/v1/invoices/run', body }, options),
    /** List invoices */
    list: (query: ListInvoicesQuery = {}, options?: CallOptions): Promise<InvoicePage> =>
      call({ method: 'GET', path: '/operator/v1/invoices', query }, options),
    /** List invoices as CSV */
    csv: (query: ExportInvoicesQuery = {}, options?: CallOptions): Promise<Response> =>
      call({ method: 'GET', path: '/operator/v1/invoices.csv', query, raw: true }, options),
    /** Get an invoice */
    get: (invoiceId: string, options?: CallOptions): Promise<Invoice> =>
      call({ method: 'GET', path: `/operator/v1/invoices/${encodeURIComponent(invoiceId)}` }, options),
    /** Get an invoice as PDF */
    pdf: (invoiceId: string, options?: CallOptions): Promise<Response> =>
      call({ method: 'GET', path: `/operator/v1/invoices/${encodeURIComponent(invoiceId)}/pdf`, raw: true }, options),
    /**
     * Mark an invoice as paid.
     *
     * Payments are made elsewhere; this says that one was. Once more changes nothing.
     */
    markPaid: (invoiceId: string, body: MarkInvoicePaidBody = {}, options?: CallOptions): Promise<Invoice> =>
      call({ method: 'POST', path: `/operator/v1/invoices/${encodeURIComponent(invoiceId)}/paid`, body }, options),
    /** Mark an invoice as not paid after all */
    reopen: (invoiceId: string, options?: CallOptions): Promise<Invoice> =>
      call({ method: 'DELETE', path: `/operator/v1/invoices/${encodeURIComponent(invoiceId)}/paid` }, options),
  };
}

export function queues(call: Call) {
  return {
    /** How much waits to be sent and to be delivered */
    get: (options?: CallOptions): Promise<Queues> =>
      call({ method: 'GET', path: '/operator/v1/queues' }, options),
  };
}

export function deadLetters(call: Call) {
  return {
    /**
     * List deliveries of which every attempt failed.
     *
     * Newest first, across accounts. Content is redacted.
     */
    list: (query: ListDeadLettersQuery = {}, options?: CallOptions): Promise<DeadLetterList> =>
      call({ method: 'GET', path: '/operator/v1/dead-letters', query }, options),
    /** Deliver a dead letter again */
    redeliver: (deliveryId: string, options?: CallOptions): Promise<DeliveryQueued> =>
      call({ method: 'POST', path: `/operator/v1/dead-letters/${encodeURIComponent(deliveryId)}/redeliver` }, options),
  };
}

export function quarantine(call: Call) {
  return {
    /**
     * List network events that could not be stored.
     *
     * Newest first, across accounts, without content. It is kept sealed for 30 days.
     */
    list: (query: ListQuarantineQuery = {}, options?: CallOptions): Promise<QuarantineList> =>
      call({ method: 'GET', path: '/operator/v1/quarantine', query }, options),
    /**
     * Try again to store something of the quarantine.
     *
     * A stored event leaves the quarantine and is published. Otherwise it stays, with the new reason.
     */
    retry: (quarantineId: string, options?: CallOptions): Promise<QuarantineRetry> =>
      call({ method: 'POST', path: `/operator/v1/quarantine/${encodeURIComponent(quarantineId)}/retry` }, options),
    /** Drop something from the quarantine, unseen */
    drop: (quarantineId: string, options?: CallOptions): Promise<void> =>
      call({ method: 'DELETE', path: `/operator/v1/quarantine/${encodeURIComponent(quarantineId)}` }, options),
  };
}

export function drift(call: Call) {
  return {
    /**
     * List what the network sends and the gateway does not understand.
     *
     * By kind, over all numbers, without content. A kind is dropped 90 days after it was last seen.
     */
    list: (options?: CallOptions): Promise<DriftList> =>
      call({ method: 'GET', path: '/operator/v1/drift' }, options),
  };
}

export function throughput(call: Call) {
  return {
    /**
     * How much the gateway accepted, sent, received and delivered.
     *
     * By minute for the last day, by hour for the last month.
     */
    get: (query: GetThroughputQuery = {}, options?: CallOptions): Promise<Throughput> =>
      call({ method: 'GET', path: '/operator/v1/throughput', query }, options),
  };
}

export function receivers(call: Call) {
  return {
    /** List receivers that answer nothing but failures */
    listFailing: (options?: CallOptions): Promise<FailingReceiverOfAllList> =>
      call({ method: 'GET', path: '/operator/v1/failing-receivers' }, options),
  };
}

export function audit(call: Call) {
  return {
    /**
     * Read who changed what.
     *
     * Newest first.
     */
    list: (query: ListAuditLogQuery = {}, options?: CallOptions): Promise<AuditLog> =>
      call({ method: 'GET', path: '/operator/v1/audit', query }, options),
  };
}

/** The methods of every noun. */
export function all(call: Call) {
  return {
    accounts: accounts(call),
    members: members(call),
    apiKeys: apiKeys(call),
    devices: devices(call),
    terms: terms(call),
    sessions: sessions(call),
    workers: workers(call),
    billing: billing(call),
    invoices: invoices(call),
    queues: queues(call),
    deadLetters: deadLetters(call),
    quarantine: quarantine(call),
    drift: drift(call),
    throughput: throughput(call),
    receivers: receivers(call),
    audit: audit(call),
  };
}
