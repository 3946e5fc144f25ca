import { createHash, randomUUID } from 'node:crypto';
import type { SmsProvider, SmsProviderKind } from '@rmeet/contract';
import { acsAuthorization, acsQuery } from './acs3.ts';
import type { FilledRequest } from './fill.ts';
import { tcAuthorization } from './tc3.ts';
import { SmsRefused, type Gateway, type TextMessage } from './types.ts';

/** A gateway that is a service. */
export type Service = Gateway & { provider: SmsProvider };
interface Interface {
  request(service: Service, message: TextMessage, now: Date): FilledRequest;
  isSuccess(answer: unknown): boolean;
}

/** E.164 (ITU-T), with China's country code where there is none. */
const international = (phone: string): string => {
  const digits = phone.replaceAll(/[\s-]/g, '');
  return digits.startsWith('+') ? digits : `+86${digits}`;
};

/** The template of a message and the value of its variable. @throws SmsRefused if there is none for it */
function filled({ provider }: Service, { text, code }: TextMessage): { template: string; name: string; value: string } {
  if (code !== undefined) return { template: provider.codeTemplate, name: 'code', value: code };
  if (provider.textTemplate === '') throw new SmsRefused('There is no template for this message.');
  return { template: provider.textTemplate, name: 'text', value: text };
}

/** Alibaba Cloud, short message service, version 2017-05-25, SendSms: parameters are in the query. */
const aliyun: Interface = {
  request(service, message, now) {
    const { url, provider, secret } = service;
    const { template, name, value } = filled(service, message);
    const query = {
      // Numbers of mainland China without country code, others without plus sign.
      PhoneNumbers: international(message.phone).replace(/^\+86/, '').replace(/^\+/, ''),
      SignName: provider.signName,
      TemplateCode: template,
      TemplateParam: JSON.stringify({ [name]: value }),
    };
    const headers = {
      host: new URL(url).host,
      'x-acs-action': 'SendSms',
      'x-acs-content-sha256': createHash('sha256').update('').digest('hex'),
      'x-acs-date': now.toISOString().replace(/\.\d{3}Z$/, 'Z'),
      'x-acs-signature-nonce': randomUUID(),
      'x-acs-version': '2017-05-25',
    };
    const authorization = acsAuthorization(
      { method: 'POST', path: '/', query, headers, body: '' },
      { id: provider.accessKey, secret },
    );
    const { host: _, ...sent } = headers;
    return {
      url: `${new URL(url).origin}/?${acsQuery(query)}`,
      method: 'POST',
      headers: { ...sent, authorization },
      body: undefined,
    };
  },
  isSuccess: (answer) => (answer as { Code?: unknown } | null)?.Code === 'OK',
};

/** Tencent Cloud, short message service, version 2021-01-11, SendSms. */
const tencent: Interface = {
  request(service, message, now) {
    const { url, provider, secret } = service;
    const { template, value } = filled(service, message);
    const payload = JSON.stringify({
      PhoneNumberSet: [international(message.phone)],
      SmsSdkAppId: provider.appId,
      SignName: provider.signName,
      TemplateId: template,
      TemplateParamSet: [value],
    });
    const at = Math.floor(now.getTime() / 1_000);
    const signed = {
      'content-type': 'application/json; charset=utf-8',
      host: new URL(url).host,
      'x-tc-action': 'SendSms',
    };
    const authorization = tcAuthorization(
      { headers: signed, payload },
      { id: provider.accessKey, secret, service: 'sms', at },
    );
    return {
      url: `${new URL(url).origin}/`,
      method: 'POST',
      headers: {
        'content-type': signed['content-type'],
        'x-tc-action': signed['x-tc-action'],
        'x-tc-region': provider.region,
        'x-tc-timestamp': String(at),
        'x-tc-version': '2021-01-11',
        authorization,
      },
      body: payload,
    };
  },
  isSuccess(answer) {
    const sent = (answer as { Response?: { SendStatusSet?: { Code?: unknown }[] } } | null)?.Response?.SendStatusSet;
    return sent?.length === 1 && sent[0]?.Code === 'Ok';
  },
};

/** How each service is called. An error comes with status 200, in the answer. */
export const INTERFACES: Record<SmsProviderKind, Interface> = { aliyun, tencent };

export const isService = (gateway: Gateway): gateway is Service => Boolean(gateway.provider);
