/** A mail server that keeps what it is given, and refuses what a test says. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface TestMailServer {
  url: string;
  /** In the order in which they came, with the addresses of the envelope. */
  received: { to: string[]; mail: ParsedMail }[];
  /** What each next attempt is answered with, before any is taken. */
  refusals: { code: number; at: 'recipient' | 'data' | 'login' }[];
  /** Waits until so many have come. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startMailServer({ password }: { password?: string } = {}): Promise<TestMailServer> {
  const received: TestMailServer['received'] = [];
  const refusals: TestMailServer['refusals'] = [];
  const refusal = (at: string): Error | undefined => {
    const [next] = refusals;
    if (next?.at !== at) return undefined;
    refusals.shift();
    return Object.assign(new Error('no mail for you'), { responseCode: next.code });
  };
  const server = new SMTPServer({
    authOptional: password === undefined,
    disabledCommands: password === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password: given }, _session, done) {
      const refused = refusal('login');
      if (refused || username !== 'service' || given !== password) done(refused ?? new Error('wrong'));
      else done(null, { user: username });
    },
    onRcptTo(_address, _session, done) {
      done(refusal('recipient'));
    },
    onData(stream, session, done) {
      void (async () => {
        try {
          const mail = await simpleParser(stream);
          const refused = refusal('data');
          if (!refused) received.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail });
          done(refused);
        } catch (error) {
          done(error as Error);
        }
      })();
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://${password === undefined ? '' : `service:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    received,
    refusals,
    async until(count) {
      for (let waited = 0; received.length < count; waited += 20) {
        if (waited > 20_000) throw new Error(`${received.length} of ${count} mails have come`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
