import { z } from 'zod';

/**
 * Headers that determine where a request goes and where it ends (RFC 9112, sections 3.2, 6 and 9): some servers would
 * treat a second one of them as another request.
 */
const OF_CONNECTION =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;
const headerName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)
  .refine((name) => !OF_CONNECTION.test(name));
const gatewayUrl = z
  .string()
  .max(2_000)
  .refine((text) => URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol));

/** The services whose interface is built in, with the address where they take messages. */
export const SMS_PROVIDERS = {
  aliyun: 'https://dysmsapi.aliyuncs.com',
  tencent: 'https://sms.tencentcloudapi.com',
} as const;
export type SmsProviderKind = keyof typeof SMS_PROVIDERS;

const setting = z.string().trim().max(100);
/**
 * An account at a service that sends registered templates only. Its secret (AccessKey secret, SecretKey) is that of the
 * gateway.
 */
export const smsProvider = z
  .object({
    kind: z.enum(Object.keys(SMS_PROVIDERS) as [SmsProviderKind, ...SmsProviderKind[]]),
    /** AccessKey id, SecretId. */
    accessKey: setting.min(1),
    /** The approved signature, without brackets. */
    signName: setting.min(1),
    /** The approved template for codes, with one variable: `${code}` (aliyun) or `{1}` (tencent). */
    codeTemplate: setting.min(1),
    /** The approved template for other messages, with `${text}` or `{1}`; empty: these are not sent. */
    textTemplate: setting,
    /** SmsSdkAppId of tencent. */
    appId: setting,
    /** Region of tencent, as `ap-guangzhou`. */
    region: setting,
  })
  .refine(({ kind, appId }) => kind !== 'tencent' || appId !== '', { path: ['appId'] })
  .refine(({ kind, region }) => kind !== 'tencent' || region !== '', { path: ['region'] });
export type SmsProvider = z.infer<typeof smsProvider>;

/**
 * How text messages are sent to an HTTP gateway. `{phone}`, `{text}` and `{secret}` are filled in: percent-encoded in
 * the URL, and in the body according to its content type: escaped in JSON, encoded in a form.
 */
export const smsGateway = z.object({
  url: gatewayUrl,
  method: z.enum(['POST', 'PUT', 'GET']),
  headers: z
    .array(
      z.object({
        name: headerName,
        value: z
          .string()
          .max(1_000)
          .regex(/^[^\r\n\0]*$/),
      }),
    )
    .max(20),
  body: z.string().max(4_000),
  /** Where the response, a JSON document, reports success: names separated by dots. Empty: every 2xx is a success. */
  successPath: z
    .string()
    .max(200)
    .regex(/^(?:[\w-]+(?:\.[\w-]+)*)?$/),
  /** The value there on success. */
  successValue: z.string().max(200),
  /** A service instead: of the fields above only `url` is used then. */
  provider: smsProvider.nullish(),
});
export type SmsGateway = z.infer<typeof smsGateway>;
