import {
  CLIENT_PACKAGE_TYPES,
  compareVersions,
  LINK_ONLY_TYPES,
  PACKAGE_BYTES,
  PACKAGE_ENDINGS,
  packageNameOf,
  type ClientPackage,
  type ClientPackageName,
  type Rollout,
} from '@rmeet/contract';

/** A package in the form. */
export interface PackageDraft {
  type: ClientPackageName;
  version: string;
  source: 'file' | 'link';
  link: string;
  minimalVersion: string;
  rolloutKind: Rollout['kind'];
  percent: number | null;
  tenantIds: readonly string[];
  notes: string;
  /** Name and bytes of the chosen file; the file itself is beside the draft, because drafts are compared as JSON. */
  file: { name: string; size: number } | null;
}

export const newPackage: PackageDraft = {
  type: 'windows',
  version: '',
  source: 'file',
  link: '',
  minimalVersion: '',
  rolloutKind: 'all',
  percent: 10,
  tenantIds: [],
  notes: '',
  file: null,
};

export function draftOf({ type, version, url, file, minimalVersion, rollout, notes }: ClientPackage): PackageDraft {
  return {
    type: packageNameOf(type) ?? 'windows',
    version,
    source: file ? 'file' : 'link',
    link: file ? '' : url,
    minimalVersion: minimalVersion ?? '',
    rolloutKind: rollout.kind,
    percent: rollout.kind === 'percent' ? rollout.percent : newPackage.percent,
    tenantIds: rollout.kind === 'tenants' ? rollout.tenantIds : [],
    notes,
    file,
  };
}

/** What both a new and a changed package say. */
export function bodyOf({ minimalVersion, notes, rolloutKind, percent, tenantIds }: PackageDraft) {
  const rollout: Rollout =
    rolloutKind === 'percent'
      ? { kind: 'percent', percent: percent ?? 0 }
      : rolloutKind === 'tenants'
        ? { kind: 'tenants', tenantIds: [...tenantIds] }
        : { kind: 'all' };
  return { minimalVersion: minimalVersion.trim() === '' ? null : minimalVersion.trim(), notes, rollout };
}

export const typeOf = ({ type }: PackageDraft): number => CLIENT_PACKAGE_TYPES[type];
export const isLinkOnly = (draft: PackageDraft): boolean => LINK_ONLY_TYPES.includes(typeOf(draft));
/** Whether the draft brings a file. */
export const bringsFile = (draft: PackageDraft): boolean => draft.source === 'file' && !isLinkOnly(draft);
export const endingsOf = ({ type }: PackageDraft): string =>
  PACKAGE_ENDINGS[type].map((ending) => `.${ending}`).join(', ');

/** What the form finds wrong by itself: a text of `invalid` by field. */
export type Fault = 'version' | 'minimal' | 'above' | 'file' | 'ending' | 'size' | 'link' | 'percent' | 'tenants';
type Faults = Partial<Record<keyof PackageDraft, Fault>>;

const VERSION = /^\d{1,6}(\.\d{1,6}){0,3}$/;

function faultOfFile(draft: PackageDraft): Fault | undefined {
  if (!draft.file) return 'file';
  const ending = draft.file.name.toLowerCase().split('.').at(-1) ?? '';
  if (!PACKAGE_ENDINGS[draft.type].includes(ending)) return 'ending';
  return draft.file.size > PACKAGE_BYTES ? 'size' : undefined;
}

function faultOfMinimum({ version, minimalVersion }: PackageDraft): Fault | undefined {
  const minimum = minimalVersion.trim();
  if (minimum === '') return undefined;
  if (!VERSION.test(minimum)) return 'minimal';
  return VERSION.test(version.trim()) && compareVersions(minimum, version.trim()) > 0 ? 'above' : undefined;
}

/** What is wrong with version and source, which a published package keeps. */
function faultsOfSource(draft: PackageDraft): Faults {
  const ofVersion: Faults = VERSION.test(draft.version.trim()) ? {} : { version: 'version' };
  if (!bringsFile(draft))
    return /^https:\/\/[^\s/]+/i.test(draft.link.trim()) ? ofVersion : { ...ofVersion, link: 'link' };
  const ofFile = faultOfFile(draft);
  return ofFile ? { ...ofVersion, file: ofFile } : ofVersion;
}

function faultsOfRollout({ rolloutKind, percent, tenantIds }: PackageDraft): Faults {
  if (rolloutKind === 'tenants') return tenantIds.length === 0 ? { tenantIds: 'tenants' } : {};
  const isShare = percent !== null && percent >= 1 && percent <= 99;
  return rolloutKind === 'percent' && !isShare ? { percent: 'percent' } : {};
}

/** @param isNew a published package keeps its version and source */
export function faultsOf(draft: PackageDraft, isNew: boolean): Faults {
  const ofMinimum = faultOfMinimum(draft);
  return {
    ...(isNew ? faultsOfSource(draft) : {}),
    ...(ofMinimum ? { minimalVersion: ofMinimum } : {}),
    ...faultsOfRollout(draft),
  };
}
