import java.net.HttpURLConnection
import java.net.URI
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.runBlocking
import org.hibana.client.Hibana
import org.hibana.client.HibanaException
import org.hibana.client.NewTweet
import org.hibana.client.NewUser
import org.hibana.client.Outcome
import org.hibana.client.createTweet
import org.hibana.client.createUser
import org.hibana.client.deleteTweet
import org.hibana.client.getTimeline
import org.hibana.client.like
import org.hibana.client.pages

/** Signs up at the Auth emulator, as the Firebase SDK does in an app: `user.getIdToken(fresh).await().token`. */
fun signUp(auth: String): String {
    val url = URI("$auth/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any").toURL()
    val connection = url.openConnection() as HttpURLConnection
    connection.setRequestProperty("Content-Type", "application/json")
    connection.doOutput = true
    val email = "ann${System.nanoTime()}@example.com"
    connection.outputStream.use {
        it.write("""{"email":"$email","password":"sparkler","returnSecureToken":true}""".toByteArray())
    }
    val text = connection.inputStream.use { it.readBytes().decodeToString() }
    return Regex(""""idToken":\s*"([^"]+)"""").find(text)!!.groupValues[1]
}

fun main() = runBlocking {
    val idToken = signUp(System.getenv("AUTH") ?: "http://127.0.0.1:9099")
    val hibana = Hibana(System.getenv("API") ?: "http://127.0.0.1:8000") { _ -> idToken }
    hibana.createUser(NewUser(username = "ann_${System.nanoTime() % 1_000_000_000}", nickname = "Ann"))

    val tweet = when (val posted = hibana.createTweet(NewTweet(content = "Sparks \"fly\" \n火花 #hibana"))) {
        is Outcome.Done -> posted.value
        is Outcome.Waiting -> error("a reply waits for approval")
    }
    var home = hibana.getTimeline()
    while (home.items.none { it.id == tweet.id }) { // home follows by an event, within a second or so
        delay(500)
        home = hibana.getTimeline()
    }
    val first = pages { token -> hibana.getTimeline(pageToken = token, pageSize = 1).let { it.items to it.nextPageToken } }.first()
    println("home: ${first.author.nickname}: ${first.content} at ${first.createdAt}")

    hibana.like(tweet.id)
    hibana.deleteTweet(tweet.id)
    try {
        hibana.like(tweet.id)
    } catch (e: HibanaException) {
        println("error: ${e.status} ${e.code}: ${e.message}")
    }
}
