// The documents of docs/ as a site with a search of its own: titles come from the documents, groups from the table below.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// `./artel site` copies this folder to target/ and installs there, so that no libraries lie among the sources.
const site = join(dirname(fileURLToPath(import.meta.url)), '..')
const docs = join(site, '..', '..', 'docs')
// The pages are outside the folder in which npm installs, where they do not find these by themselves.
const vue = join(site, 'node_modules', 'vue')

const groups = {
  'Begin': ['getting-started', 'concepts', 'comparison', 'vocabulary'],
  'Write jobs': ['blueprints', 'functions', 'cards', 'actions', 'budgets', 'large-values', 'howto/own-blueprint', 'schedules',
    'howto/questions', 'howto/redis-tasks', 'howto/spring-boot', 'howto/simulate'],
  'Connect workers': ['fleet', 'placement', 'limits', 'protocol/http-workers', 'protocol/websocket-workers', 'protocol/zeromq-workers',
    'protocol/mindbus-agents', 'howto/worker-server'],
  'See and steer': ['dashboard', 'cli', 'api', 'errors', 'howto/recover-jobs', 'howto/webhooks', 'howto/mcp'],
  'Run it': ['production', 'operations', 'access', 'howto/monitor', 'howto/traces', 'benchmarks'],
  'How it works': ['architecture', 'promises', 'robustness', 'testing', 'protocol/acceptance', 'howto/add-an-event', 'howto/add-a-store',
    'howto/add-a-transport', 'howto/change-the-schema', 'adr/README'],
}

const title = (page) => readFileSync(join(docs, page + '.md'), 'utf8').match(/^# (.*)$/m)?.[1] ?? page
const pages = (folder) => readdirSync(join(docs, folder)).filter((name) => name.endsWith('.md')).map((name) => join(folder, name.slice(0, -3)))

/** Documents that no group names stand at the end, so that none is missing. */
function sidebar() {
  const all = ['.', 'howto', 'protocol'].flatMap(pages).filter((page) => page !== 'index')
  const named = new Set(Object.values(groups).flat())
  const rest = all.filter((page) => !named.has(page))
  return Object.entries({ ...groups, ...(rest.length ? { 'More': rest } : {}) }).map(([text, names]) => ({
    text,
    items: names.filter((page) => existsSync(join(docs, page + '.md'))).map((page) => ({ text: title(page), link: '/' + page.replace('README', 'index') })),
  }))
}

export default {
  title: 'Artel',
  description: 'A durable orchestrator for workers of all kinds',
  srcDir: relative(site, docs),
  rewrites: { 'adr/README.md': 'adr/index.md' },
  outDir: '../site',
  cleanUrls: false,
  lastUpdated: false,
  // What lies beside docs/ (examples, modules) is not part of the site.
  ignoreDeadLinks: [(link) => link.includes('../'), /^https?:\/\/(localhost|127\.0\.0\.1)/],
  vite: {
    resolve: {
      alias: [
        { find: /^vue\/server-renderer$/, replacement: join(vue, 'server-renderer', 'index.mjs') },
        { find: /^vue$/, replacement: join(vue, 'dist', 'vue.runtime.esm-bundler.js') },
      ],
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: sidebar(),
  },
}
