import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { queryOf, type DocumentListState } from './listShape.ts';

/** One page of documents; in the manage app of the whole organisation. */
export const useDocumentList = (state: DocumentListState, isWide: boolean) =>
  useListQuery(['documents', 'list', isWide, state], () => api.documents.query({ query: queryOf(state, isWide) }));

/** The organisation's templates. */
export const useTemplates = () =>
  useQuery({
    queryKey: ['documents', 'templates'],
    queryFn: () => api.documents.query({ query: { templates: 'true', size: 100, sort: 'title', order: 'ASC' } }),
    meta: { quiet: 'unloaded' },
  });

/** A document without its content. */
export const useDocument = (id: string) =>
  useQuery({
    queryKey: ['documents', 'one', id],
    queryFn: () => api.documents.show({ params: { id } }),
    meta: { quiet: 'unloaded' },
  });

/** Runs a call that changes documents, and fetches them again. */
export function useDocumentChange<I, O>(call: (input: I) => Promise<O>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => client.invalidateQueries({ queryKey: ['documents'] }),
  });
}
