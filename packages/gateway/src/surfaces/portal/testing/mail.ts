import { createSteppedClock, type TravelClock } from '#kernel';
import { type MailServer, startMailServer } from '#platform/mail/testing';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';

export interface GatewayWithMail {
  readonly gateway: TestGateway;
  readonly server: MailServer;
  readonly machineClock: TravelClock;
}

/** A gateway with a `publicUrl`, whose mails go to a server of the test. */
export async function startGatewayWithMail(publicUrl: string): Promise<GatewayWithMail> {
  const server = await startMailServer();
  const machineClock = createSteppedClock();
  const gateway = await startGateway({
    machineClock,
    environment: {
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PARLEY_MAIL_URL: server.url,
      PARLEY_MAIL_FROM: 'parley@example.com',
      PARLEY_PUBLIC_URL: publicUrl,
    },
  });
  return { gateway, server, machineClock };
}
