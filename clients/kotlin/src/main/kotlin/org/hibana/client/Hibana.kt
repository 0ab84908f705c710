package org.hibana.client

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext

/**
 * A client of the API of Hibana. Each operation is an extension function, in Operations.kt.
 *
 * @param baseUrl where the API is, without a slash at the end
 * @param attempts how often a request is sent at most
 * @param patienceMillis the longest time that a request waits before it is sent again
 * @param token gives the caller's ID token, or null for a caller who is signed out. `fresh` asks for
 *   a token that was made now, because the last one has expired.
 */
class Hibana(
    private val baseUrl: String,
    private val attempts: Int = 4,
    private val patienceMillis: Long = 10_000,
    private val token: suspend (fresh: Boolean) -> String? = { null },
) {
    /**
     * Sends a request, for what the operations do not offer: a null in [body] is sent as null. Renews
     * an expired token once. Sends the request again after 429, and after 503 and a failure of the network
     * unless it is a POST without an Idempotency-Key.
     *
     * Throws a [HibanaException] for an answer that is no success, and an IOException where there is none.
     */
    suspend fun send(
        method: String,
        path: String,
        query: Map<String, String?> = emptyMap(),
        headers: Map<String, String?> = emptyMap(),
        body: Map<String, Any?>? = null,
    ): Answer {
        val asked = query.entries.filter { it.value != null }.joinToString("&") { segment(it.key) + "=" + segment(it.value!!) }
        val url = URL(baseUrl + path + if (asked.isEmpty()) "" else "?$asked")
        val repeatable = method != "POST" || headers["Idempotency-Key"] != null
        var fresh = false
        var attempt = 1
        while (true) {
            val bearer = token(fresh)
            var wait = minOf(250L shl attempt, patienceMillis)
            try {
                val answer = withContext(Dispatchers.IO) { exchange(url, method, headers, bearer, body) }
                if (answer.status < 300) return answer
                val failure = answer.failure()
                if (answer.status == 401 && bearer != null && !fresh) {
                    fresh = true
                    continue
                }
                val again = answer.status == 429 || (answer.status == 503 && repeatable)
                val told = (answer.retryAfter ?: 0) * 1000
                if (!again || attempt >= attempts || told > patienceMillis) throw failure
                if (told > 0) wait = told
            } catch (e: IOException) {
                if (attempt >= attempts || !repeatable) throw e
            }
            attempt++
            delay(wait)
        }
    }

    private fun exchange(
        url: URL,
        method: String,
        headers: Map<String, String?>,
        bearer: String?,
        body: Map<String, Any?>?,
    ): Answer {
        val connection = url.openConnection() as HttpURLConnection
        try {
            connection.connectTimeout = 10_000
            connection.readTimeout = 30_000
            setMethod(connection, method)
            for ((name, value) in headers) if (value != null) connection.setRequestProperty(name, value)
            if (bearer != null) connection.setRequestProperty("Authorization", "Bearer $bearer")
            if (body != null) {
                connection.setRequestProperty("Content-Type", "application/json")
                connection.doOutput = true
                connection.outputStream.use { it.write(jsonText(body).toByteArray()) }
            }
            val status = connection.responseCode
            val stream = if (status < 400) connection.inputStream else connection.errorStream
            val text = stream?.use { it.readBytes().decodeToString() }.orEmpty()
            return Answer(status, text, connection.getHeaderField("Retry-After")?.toLongOrNull())
        } finally {
            connection.disconnect()
        }
    }

    /** Android sends PATCH; HttpURLConnection of a desktop Java refuses it, and the API takes no other method for it. */
    private fun setMethod(connection: HttpURLConnection, method: String) {
        try {
            connection.requestMethod = method
        } catch (e: java.net.ProtocolException) {
            throw UnsupportedOperationException("this Java sends no $method; Android does", e)
        }
    }
}

/** An answer of the API. [retryAfter] is in seconds. */
class Answer internal constructor(val status: Int, val text: String, val retryAfter: Long?) {
    /** The body as maps, lists, strings, numbers, booleans and null. */
    val json: Any? by lazy { parseJson(text) }

    internal fun failure(): HibanaException =
        try {
            val problem = Problem.from(json)
            HibanaException(status, problem.code, problem.detail, problem)
        } catch (_: UnreadableException) {
            // Something between the app and the API answered.
            HibanaException(status, "unreadable", "the answer is $status", null)
        }
}

/** An answer that is no success. Branch on [code], and expect codes that are newer than this client. */
class HibanaException(val status: Int, val code: String, message: String, val problem: Problem?) : Exception(message)

/** What a request came to that may have to wait for somebody's approval. */
sealed class Outcome<out D, out W> {
    data class Done<out D>(val value: D) : Outcome<D, Nothing>()
    data class Waiting<out W>(val value: W) : Outcome<Nothing, W>()
}

internal fun <D, W> outcome(answer: Answer, done: (Any?) -> D, waiting: (Any?) -> W): Outcome<D, W> =
    if (answer.status == 202) Outcome.Waiting(waiting(answer.json)) else Outcome.Done(done(answer.json))

/**
 * The items of a list, page by page, each asked for when it is needed.
 *
 *     pages { pageToken -> hibana.getTimeline(pageToken = pageToken).let { it.items to it.nextPageToken } }
 */
fun <T> pages(page: suspend (pageToken: String?) -> Pair<List<T>, String>): Flow<T> = flow {
    var token: String? = null
    do {
        val (items, next) = page(token)
        items.forEach { emit(it) }
        token = next
    } while (!next.isEmpty())
}

internal fun segment(text: String): String = URLEncoder.encode(text, "UTF-8").replace("+", "%20")
