import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acsAuthorization } from '../../src/platform/sms/acs3.ts';
import { createSms, SmsRefused, type Gateway } from '../../src/platform/sms/index.ts';
import { tcRequestHash } from '../../src/platform/sms/tc3.ts';
import { ACCOUNT, startAliyunSms, startTencentSms, type SmsService } from './support/sms-services.ts';

test("the signature of Alibaba Cloud's own example", () => {
  // Its document on signature V3: RunInstances.
  const headers = {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    'x-acs-action': 'RunInstances',
    'x-acs-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-acs-date': '2023-10-26T10:22:32Z',
    'x-acs-signature-nonce': '3156853299f313e23d1673dc12e1703d',
    'x-acs-version': '2014-05-26',
  };
  const query = { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' };
  expect(
    acsAuthorization(
      { method: 'POST', path: '/', query, headers, body: '' },
      { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' },
    ),
  ).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;' +
      'x-acs-signature-nonce;x-acs-version,' +
      'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
});

test("the hash of Tencent Cloud's own example", () => {
  // Its document on signature v3: DescribeInstances. It masks the secret, so that only the hash can be compared.
  const payload = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}';
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    host: 'cvm.tencentcloudapi.com',
    'x-tc-action': 'DescribeInstances',
  };
  expect(tcRequestHash({ headers, payload })).toBe('7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84');
});

const sms = createSms({ gateway: null, hosts: [] });
const CODE = { phone: '138 0013-8000', text: 'Code 493817', code: '493817' };
const NOTICE = { phone: '+4915112345678', text: '"查房" 10:00 *(!) a=1&b=2' };

describe.each([
  { kind: 'aliyun' as const, start: startAliyunSms, home: '13800138000', abroad: '4915112345678' },
  { kind: 'tencent' as const, start: startTencentSms, home: '+8613800138000', abroad: '+4915112345678' },
])('$kind', ({ kind, start, home, abroad }) => {
  let service: SmsService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());
  const gateway = (values: Partial<NonNullable<Gateway['provider']>> = {}, secret = ACCOUNT.secret): Gateway => ({
    url: service.origin,
    method: 'POST',
    headers: [],
    body: '',
    successPath: '',
    successValue: '',
    secret,
    isTrusted: true,
    provider: {
      kind,
      accessKey: ACCOUNT.id,
      signName: ACCOUNT.signName,
      codeTemplate: 'SMS_1',
      textTemplate: 'SMS_2',
      appId: ACCOUNT.appId,
      region: 'ap-guangzhou',
      ...values,
    },
  });

  test('takes codes and other messages', async () => {
    await sms.send(gateway(), CODE);
    await sms.send(gateway(), NOTICE);
    expect(service.sent).toEqual([
      { phone: home, signName: ACCOUNT.signName, template: 'SMS_1', values: ['493817'] },
      { phone: abroad, signName: ACCOUNT.signName, template: 'SMS_2', values: [NOTICE.text] },
    ]);
  });

  test.each<[string, Partial<NonNullable<Gateway['provider']>>, string?]>([
    ['secret', {}, 'another'],
    ['account', { accessKey: 'another' }],
    ['signature name', { signName: '别家医院' }],
    ['template', { codeTemplate: 'SMS_9' }],
  ])('refuses a wrong %s, which is no passing failure', async (_, values, secret) => {
    const before = service.sent.length;
    await expect(sms.send(gateway(values, secret), CODE)).rejects.toBeInstanceOf(SmsRefused);
    expect(service.sent.length).toBe(before);
  });

  test('gets no other messages without a template for them', async () => {
    const before = service.sent.length;
    await expect(sms.send(gateway({ textTemplate: '' }), NOTICE)).rejects.toBeInstanceOf(SmsRefused);
    expect(service.sent.length).toBe(before);
  });
});
