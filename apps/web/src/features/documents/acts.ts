import { documents, pathOf, type DocumentFormat, type DocumentRow } from '@rmeet/contract';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { useDocumentChange } from './queries.ts';

/** The path of a document as a file. */
export const exportPath = (id: string, format: DocumentFormat): string =>
  pathOf(documents.export, { params: { id }, query: { format } });

/** Deletes a document after confirmation; true once it is deleted. */
export function useRemoveAfterAsking() {
  const t = useTexts('documents');
  const common = useTexts('common');
  const remove = useDocumentChange((id: string) => api.documents.remove({ params: { id } }));
  return async ({ id, title }: Pick<DocumentRow, 'id' | 'title'>): Promise<boolean> => {
    const isSure = await ask({
      title: t('remove.title'),
      text: t('remove.text', { name: title }),
      okText: t('remove.action'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (!isSure) return false;
    try {
      await remove.mutateAsync(id);
    } catch {
      // The mutation has reported it.
      return false;
    }
    toast('success', () => t('remove.done', { name: title }));
    return true;
  };
}
