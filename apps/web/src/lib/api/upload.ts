/** A `fetch` that reports the progress of an upload (0 to 1), which browsers report for XMLHttpRequest only. */
export function fetchWithProgress(onProgress: (part: number) => void): typeof fetch {
  return (input, { method = 'GET', headers, body, signal, credentials } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, input instanceof Request ? input.url : input);
      request.withCredentials = credentials === 'include';
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total);
      });
      request.addEventListener('load', () => {
        const type = request.getResponseHeader('content-type');
        resolve(
          new Response(request.responseText, {
            status: request.status,
            headers: type === null ? {} : { 'content-type': type },
          }),
        );
      });
      request.addEventListener('error', () => reject(new TypeError('The request failed.')));
      request.addEventListener('abort', () =>
        reject(
          signal?.reason instanceof Error ? signal.reason : new DOMException('The request was given up.', 'AbortError'),
        ),
      );
      signal?.addEventListener('abort', () => request.abort());
      request.send((body ?? null) as XMLHttpRequestBodyInit | null);
    });
}
