import { PROXY_PORT } from '../../../host/host-launch'

/** Settings of package tools and certificates that a sandbox gets from its machine. */
export type ToolSettings = Readonly<Record<string, string>>

/** The workspace as a program inside sees it, and the home folder in it. */
export const WORKSPACE = '/workspace'
export const HOME = `${WORKSPACE}/.home`

const PATHS = [`${HOME}/.local/bin`, '/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin']

/** Pure: every variable that exists inside; nothing of the agent's environment is among them. */
export function sandboxEnvironment(options: { tools: ToolSettings; paths?: readonly string[] }): Record<string, string> {
  const proxy = `http://127.0.0.1:${PROXY_PORT}`
  const local = 'localhost,127.0.0.1,::1'
  return {
    PATH: [...(options.paths ?? []), ...PATHS].join(':'),
    HOME,
    USER: 'berth',
    LOGNAME: 'berth',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: local,
    no_proxy: local,
    ...options.tools,
  }
}
