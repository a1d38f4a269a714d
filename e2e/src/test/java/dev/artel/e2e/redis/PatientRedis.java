package dev.artel.e2e.redis;

import dev.artel.testkit.broker.RedisServer;
import dev.artel.waits.Await;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/// A client of Redis that waits as long as each test does: by itself it gives up after two seconds, in which a busy machine answers nothing.
final class PatientRedis {
    private PatientRedis() {}

    static RedisClient of(RedisServer server) {
        return RedisClient.builder()
                .hostAndPort(new HostAndPort("127.0.0.1", server.port()))
                .clientConfig(
                        DefaultJedisClientConfig.builder()
                                .timeoutMillis(Math.toIntExact(Await.longest().toMillis()))
                                .build())
                .build();
    }
}
