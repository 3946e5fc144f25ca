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
});
export type SmsGateway = z.infer<typeof smsGateway>;
