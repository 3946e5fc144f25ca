import { AppError } from '../../../platform/http/index.ts';
import { pictureOf } from '../../../platform/storage/index.ts';

/** Maximum pixels per side; a small file could otherwise unpack to gigabytes in every browser. */
const MAX_SIDE = 4_096;

/**
 * Detects the type of a base64 picture from its bytes; names and claimed types are ignored.
 *
 * @throws AppError PICTURE_UNREADABLE if it is not a PNG, JPEG or WebP, or a side is longer than 4,096 pixels
 */
export function readLogo(base64: string): { type: string; data: string } {
  const picture = pictureOf(Buffer.from(base64, 'base64'));
  if (!picture || picture.type === 'image/gif' || Math.max(picture.width, picture.height) > MAX_SIDE)
    throw new AppError('PICTURE_UNREADABLE');
  return { type: picture.type, data: base64 };
}
