import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { MANUAL_SCRIPT, manualSite } from './tools/manual-site.ts';
import { precompress } from './tools/precompress.ts';
import { routesWithoutWords } from './tools/routes-without-words.ts';
import { startChunk } from './tools/start-chunk.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const server = process.env['RMEET_SERVER'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: at('.'),
  plugins: [react(), routesWithoutWords(), manualSite(), precompress()],
  resolve: { alias: { zod: at('./tools/zod-without-schemas.ts') } },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/rtc': { target: server, ws: true },
    },
  },
  build: {
    // The lowest versions named in public/compat.js.
    target: ['chrome111', 'edge111', 'firefox115', 'safari16.4'],
    rolldownOptions: {
      treeshake: {
        // Schemas that no route of the browser's names fall away.
        manualPureFunctions: ['z'],
        // A page gets the calls of the domains it uses, not all that this folder makes.
        moduleSideEffects: [{ test: /\/src\/lib\/api\//, sideEffects: false }],
      },
      output: { codeSplitting: startChunk },
      input: {
        user: at('index.html'),
        manage: at('manage/index.html'),
        admin: at('admin/index.html'),
        setup: at('setup/index.html'),
        downloads: at('downloads/index.html'),
        assistant: at('assistant/index.html'),
        help: MANUAL_SCRIPT,
      },
    },
    // For tools/page-weight.ts.
    manifest: true,
    chunkSizeWarningLimit: 700,
  },
});
