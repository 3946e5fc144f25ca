import { extname } from 'node:path';
import { PACKAGE_BYTES, PACKAGE_ENDINGS, packageNameOf } from '@rmeet/contract';
import { AppError, type FileRules } from '../../platform/http/index.ts';
import { isText } from '../../platform/storage/index.ts';

/** How files with an ending begin, as latin1. Disk images (`dmg`) have their mark at the end: they are no text. */
const BEGINNINGS: Record<string, string> = {
  apk: 'PK\x03\x04',
  hap: 'PK\x03\x04',
  app: 'PK\x03\x04',
  exe: 'MZ',
  msi: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  pkg: 'xar!',
  deb: '!<arch>\ndebian-binary',
  rpm: '\xed\xab\xee\xdb',
};

/** Whether a file can be a package of a type, by the ending of its name and its first bytes. */
export function isPackage(type: number, name: string, head: Buffer): boolean {
  const typeName = packageNameOf(type);
  const ending = extname(name).slice(1).toLowerCase();
  if (typeName === undefined || !PACKAGE_ENDINGS[typeName].includes(ending)) return false;
  const beginning = BEGINNINGS[ending];
  if (beginning === undefined) return head.length > 0 && !isText(head);
  return head.toString('latin1', 0, beginning.length) === beginning;
}

/** What is accepted as the file of a package of a type. `checkKind` throws AppError PACKAGE_KIND_WRONG. */
export const rulesOf = (type: number): FileRules => ({
  files: 1,
  bytes: PACKAGE_BYTES,
  checkKind: (_kind, name, head) => {
    if (isPackage(type, name, head)) return;
    const typeName = packageNameOf(type);
    const endings = (typeName === undefined ? [] : PACKAGE_ENDINGS[typeName]).map((ending) => `.${ending}`).join(', ');
    throw new AppError('PACKAGE_KIND_WRONG', { name, endings });
  },
});
