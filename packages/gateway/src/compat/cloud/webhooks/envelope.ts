/** The number that something is told about, as this surface names it. */
export interface Told {
  /** Of the account. */
  readonly wabaId: string;
  readonly phoneNumberId: string;
  /** Digits. */
  readonly phone: string;
}

/** One message or one status, as the Graph API tells it. */
export function envelope({ wabaId, phoneNumberId, phone }: Told, value: object): object {
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: wabaId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: phone, phone_number_id: phoneNumberId },
              ...value,
            },
          },
        ],
      },
    ],
  };
}
