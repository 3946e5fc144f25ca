import { z } from 'zod';

/** Kinds of files, told from their content. Programs are also known by the ending of their name. */
export const FILE_KINDS = ['picture', 'document', 'media', 'archive', 'program', 'other'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** A stored file, as pages show it. */
export const storedFile = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  kind: z.enum(FILE_KINDS),
  /** Its size in pixels, if pages may show it as a picture. */
  picture: z.object({ width: z.number().int(), height: z.number().int() }).optional(),
});
export type StoredFile = z.infer<typeof storedFile>;
