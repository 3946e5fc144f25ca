import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What both stand-ins know: an account, its approved signature, and its approved templates. */
export const ACCOUNT = {
  id: 'LTAI-test',
  secret: 'k7Wm2xQe$&',
  signName: '某某医院',
  appId: '1400006666',
  templates: { SMS_1: ['code'], SMS_2: ['text'] } as Record<string, string[]>,
};
/** Services refuse requests whose clock is off by more, ms. */
const CLOCK = 900_000;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
/** `a=1, b=2` as a record. */
const partsOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/,\s*/).map((part) => [part.split('=')[0] ?? '', part.slice(part.indexOf('=') + 1)]));

type Refusal = string | undefined;
export interface Sent {
  phone: string;
  signName: string;
  template: string;
  values: string[];
}

/** Alibaba Cloud's check of a request (V3 request structure and signature), in the order of its document. */
function refusalOfAliyun(request: IncomingMessage, body: string, nonces: Set<string>): Refusal {
  const { headers } = request;
  const url = new URL(request.url ?? '', 'http://service');
  const [scheme, rest = ''] = (headers.authorization ?? '').split(/ (.*)/s);
  const { Credential, SignedHeaders = '', Signature } = partsOf(rest);
  const nonce = String(headers['x-acs-signature-nonce']);
  if (scheme !== 'ACS3-HMAC-SHA256' || Credential !== ACCOUNT.id) return 'InvalidAccessKeyId.NotFound';
  if (headers['x-acs-action'] !== 'SendSms' || headers['x-acs-version'] !== '2017-05-25') return 'InvalidVersion';
  if (Math.abs(Date.parse(String(headers['x-acs-date'])) - Date.now()) > CLOCK) return 'InvalidTimeStamp.Expired';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(headers['x-acs-date']))) return 'InvalidTimeStamp.Format';
  if (nonces.has(nonce)) return 'SignatureNonceUsed';
  nonces.add(nonce);
  if (headers['x-acs-content-sha256'] !== sha256(body)) return 'ContentMismatch';
  const names = SignedHeaders.split(';');
  const due = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-acs-'))].toSorted();
  if (names.join() !== due.join()) return 'SignedHeadersMismatch';
  const query = url.search.slice(1).split('&').toSorted().join('&');
  const canonical = `${request.method}\n${url.pathname}\n${query}\n${names
    .map((name) => `${name}:${String(headers[name])}\n`)
    .join('')}\n${SignedHeaders}\n${sha256(body)}`;
  const expected = hmac(ACCOUNT.secret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex');
  return Signature === expected ? undefined : 'SignatureDoesNotMatch';
}

/** Tencent Cloud's check of a request (signature v3). */
function refusalOfTencent(request: IncomingMessage, body: string): Refusal {
  const { headers } = request;
  const at = Number(headers['x-tc-timestamp']);
  const [scheme, rest = ''] = (headers.authorization ?? '').split(/ (.*)/s);
  const { Credential = '', SignedHeaders = '', Signature } = partsOf(rest);
  const [id, date = '', ...service] = Credential.split('/');
  if (scheme !== 'TC3-HMAC-SHA256' || id !== ACCOUNT.id) return 'AuthFailure.SecretIdNotFound';
  if (headers['x-tc-action'] !== 'SendSms' || headers['x-tc-version'] !== '2021-01-11') return 'InvalidAction';
  if (!headers['x-tc-region']) return 'MissingParameter.Region';
  if (Math.abs(at * 1_000 - Date.now()) > CLOCK) return 'AuthFailure.SignatureExpire';
  if (date !== new Date(at * 1_000).toISOString().slice(0, 10) || service.join('/') !== 'sms/tc3_request')
    return 'AuthFailure.InvalidAuthorization';
  const lines = SignedHeaders.split(';').map((name) => `${name}:${String(headers[name]).toLowerCase()}\n`);
  const canonical = `${request.method}\n/\n\n${lines.join('')}\n${SignedHeaders}\n${sha256(body)}`;
  const text = `TC3-HMAC-SHA256\n${at}\n${date}/sms/tc3_request\n${sha256(canonical)}`;
  const key = hmac(hmac(hmac(`TC3${ACCOUNT.secret}`, date), 'sms'), 'tc3_request');
  return Signature === hmac(key, text).toString('hex') ? undefined : 'AuthFailure.SignatureFailure';
}

/** What a service finds wrong with a message. */
function refusalOfMessage({ phone, signName, template, values }: Sent, phones: RegExp): Refusal {
  if (signName !== ACCOUNT.signName) return 'isv.SMS_SIGNATURE_ILLEGAL';
  if (ACCOUNT.templates[template]?.length !== values.length) return 'isv.SMS_TEMPLATE_ILLEGAL';
  return phones.test(phone) ? undefined : 'isv.MOBILE_NUMBER_ILLEGAL';
}

export interface SmsService {
  origin: string;
  sent: Sent[];
  close(): Promise<void>;
}

async function start(answer: (request: IncomingMessage, body: string) => [object, Sent?]): Promise<SmsService> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const [said, taken] = answer(request, body);
      if (taken) sent.push(taken);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(said));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { origin: `http://127.0.0.1:${port}`, sent, close };
}

/** A stand-in for Alibaba Cloud's SendSms (2017-05-25) that checks each request as its documents say. */
export function startAliyunSms(): Promise<SmsService> {
  const nonces = new Set<string>();
  return start((request, body) => {
    const query = new URL(request.url ?? '', 'http://service').searchParams;
    const given = JSON.parse(query.get('TemplateParam') ?? '{}') as Record<string, string>;
    const template = query.get('TemplateCode') ?? '';
    const message = {
      phone: query.get('PhoneNumbers') ?? '',
      signName: query.get('SignName') ?? '',
      template,
      values: (ACCOUNT.templates[template] ?? []).map((name) => given[name]).filter((value) => value !== undefined),
    };
    const refusal = refusalOfAliyun(request, body, nonces) ?? refusalOfMessage(message, /^(1\d{10}|[2-9]\d{6,14})$/);
    return refusal ? [{ Code: refusal, Message: refusal }] : [{ Code: 'OK', Message: 'OK', BizId: '1' }, message];
  });
}

/** A stand-in for Tencent Cloud's SendSms (2021-01-11). */
export function startTencentSms(): Promise<SmsService> {
  return start((request, body) => {
    const given = JSON.parse(body) as {
      PhoneNumberSet: string[];
      SmsSdkAppId: string;
      SignName: string;
      TemplateId: string;
      TemplateParamSet: string[];
    };
    const refused = refusalOfTencent(request, body);
    if (refused) return [{ Response: { Error: { Code: refused, Message: refused } } }];
    const message = {
      phone: given.PhoneNumberSet[0] ?? '',
      signName: given.SignName,
      template: given.TemplateId,
      values: given.TemplateParamSet,
    };
    const wrong =
      given.SmsSdkAppId === ACCOUNT.appId ? refusalOfMessage(message, /^\+[1-9]\d{6,14}$/) : 'FailedOperation.AppId';
    // Failures of a number come in its status, with HTTP 200.
    const status = { SerialNo: '1', PhoneNumber: message.phone, Code: wrong ?? 'Ok', Message: wrong ?? 'send success' };
    return wrong ? [{ Response: { SendStatusSet: [status] } }] : [{ Response: { SendStatusSet: [status] } }, message];
  });
}
