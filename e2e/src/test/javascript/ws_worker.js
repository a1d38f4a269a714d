// A worker on a WebSocket, written to the protocol's text with the package `ws`; it knows nothing of Artel.
//
// It serves two models: `shout` answers with the prompt in capital letters, `sleep` waits for `seconds` first.
'use strict'
const WebSocket = require('ws')

const { URL_OF_SERVER, TOKEN, WORKER_ID } = process.env
const SLOTS = 4
let attempt = 0
let ending = false

const models = {
  shout: async task => ({ text: task.text.toUpperCase() }),
  sleep: async task => {
    await new Promise(resolve => setTimeout(resolve, task.seconds * 1000))
    return { slept: task.seconds }
  },
  broken: async () => { throw new Error('this model is broken') }
}

function connect () {
  const socket = new WebSocket(URL_OF_SERVER)
  let beating
  const send = message => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)) }

  async function work (request) {
    const { requestId, model, task } = request
    console.log(`begins ${model}`)
    try {
      send({ type: 'work_complete', requestId, result: await models[model](task.params) })
    } catch (error) {
      send({ type: 'work_failed', requestId, error: error.message })
    }
  }

  socket.on('open', () => {
    attempt = 0
    send({
      type: 'worker_registration',
      workerId: WORKER_ID,
      workerName: WORKER_ID,
      authToken: TOKEN,
      capabilities: {
        models: Object.keys(models).map(modelId => ({
          modelId, displayName: modelId, maxContextTokens: 8192, maxOutputTokens: 1024, supportsStreaming: false
        })),
        maxConcurrentRequests: SLOTS
      }
    })
  })
  socket.on('message', data => {
    const message = JSON.parse(data.toString())
    if (message.type === 'worker_registration_ack') {
      if (!message.success) {
        console.log(`refused: ${message.error}`)
        ending = true
        return
      }
      console.log('registered')
      beating = setInterval(
        () => send({ type: 'heartbeat', workerId: WORKER_ID, timestamp: new Date().toISOString() }),
        message.heartbeatIntervalMs)
    } else if (message.type === 'work_request') {
      work(message)
    }
  })
  socket.on('error', error => console.log(`broken: ${error.message}`))
  socket.on('close', (code, reason) => {
    clearInterval(beating)
    console.log(`closed: ${code} ${reason}`)
    if (ending) {
      process.exit(code === 4001 ? 1 : 0)
    }
    const longest = Math.min(30000, 1000 * 2 ** attempt++)
    setTimeout(connect, Math.random() * longest)
  })
  process.once('SIGTERM', () => {
    ending = true
    socket.close(1000, 'Client disconnecting')
  })
}

connect()
